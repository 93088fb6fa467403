import CI
import TestSupport
import Testing
import Text
import YAML

/// Tests of packages that share a repository.
@Suite struct SeveralPackagesTests {
    @Test("The names of two directories never collide")
    func directoriesShareNoName() throws {
        let directories = [
            "", "a", "a/b", "a-b", "a_b", "a.b", "a b", "a/-b", "a-/b", "a__b", "a/_b", "ä", "ö", "a/5f", "a_",
            "a/b-ci",
        ]
        let configuration = """
            services: [github, circleci]
            jobs: { ci: { lanes: [test] }, b-ci: { lanes: [test] }, by-hand: { lanes: [test], on: manual } }
            """
        var owners: [String: String] = [:]
        for directory in directories {
            var names: Set<String> = []
            for file in try files(configuration, location: PackageLocation(directory: directory)) {
                let node = try #require(YAMLParser.parse(SourceFile(path: file.path, text: file.text)).node)
                if file.path == ".circleci/config.yml" {
                    for key in ["jobs", "workflows"] {
                        names.formUnion((node[key]?.members ?? []).map { "CircleCI's \(key): \($0.name)" })
                    }
                } else {
                    names.insert(file.path)
                    if let group = node["concurrency"]?["group"]?.scalar?.text { names.insert("group: \(group)") }
                }
                let caches = file.text.split(separator: "\n").filter {
                    $0.contains("build-") && !$0.contains("Revision")
                }
                names.formUnion(caches.map { "\(file.path.prefix(8)) \($0)" })
            }
            #expect(names.count > 8)
            for name in names {
                let other = owners.updateValue(directory, forKey: name)
                #expect(other == nil, "'\(other ?? "")' and '\(directory)' share \(name)")
            }
        }
    }

    @Test func workflowsOfRemovedPackagesAreRemoved() throws {
        func text(_ directory: String, beside present: String?, without removed: String? = nil) throws -> String? {
            let present = present.map { [".circleci/config.yml": $0] } ?? [:]
            let location = PackageLocation(directory: directory)
            return try files("services: [circleci]\n", location: location, present: present, removed: removed).first?
                .text
        }
        let root = try text("", beside: nil)
        let both = try text("libs/core", beside: root)
        #expect(both != root)
        #expect(try text("", beside: both) == both)
        #expect(try text("", beside: both, without: "libs/core") == root)
    }
}
