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

    /// Runs the generated script in a clone with a branch.
    @Test(
        "On CircleCI the jobs of a package without changes end at once",
        arguments: [
            ("topic", "shape/x", "runs"), ("topic", "libs/core/x", "runs"), ("topic", ".circleci/config.yml", "runs"),
            ("topic", "shapes/x", "ends"), ("main", "shapes/x", "runs"), ("", "shapes/x", "runs"),
            ("orphan", "shapes/x", "runs"),
        ])
    func circleChanges(_ branch: String, _ changed: String, _ outcome: String) throws {
        let location = PackageLocation(directory: "shape", dependencies: ["libs/core"])
        let text = try files("services: [circleci]\nbranches: [develop, main]\n", location: location)[0].text
        let node = try #require(YAMLParser.parse(SourceFile(path: "config.yml", text: text)).node)
        let steps = try #require(node["jobs"]?["shape_test"]?["steps"]?.sequence)
        #expect(steps[0].scalar?.text == "checkout")
        let script = try #require(steps[1]["run"]?["command"]?.scalar?.text)

        let git = try GitFixture()
        try git.commit("begin")
        try git.git(branch == "orphan" ? "switch --quiet --orphan orphan" : "update-ref refs/remotes/origin/main HEAD")
        try git.write("new\n", to: changed)
        try git.commit("change")
        try git.write("echo ends\n", to: "bin/circleci-agent")
        let said = try git.shell(
            "chmod +x bin/circleci-agent; PATH=$PWD/bin:$PATH CIRCLE_BRANCH='\(branch)' sh -ec '\(quoted(script))'")
        #expect(said == (outcome == "ends" ? "ends" : ""))
    }

    private func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }

    @Test("CircleCI checks for changes only if there are paths")
    func circleChecksOnlyPathsOfThePlan() throws {
        func looks(_ paths: String, _ directory: String = "shape") throws -> [String] {
            let text = try files("services: [circleci]\n\(paths)", location: PackageLocation(directory: directory))[0]
                .text
            return text.split(separator: "\n").filter { $0.contains("git diff") }
                .compactMap { $0.split(separator: " -- ").last.map { String($0.dropLast(" || continue".count)) } }
        }
        let both = Array(repeating: "':(top)Sources/*' ':(top)a*' ':(top).circleci/config.yml'", count: 2)
        #expect(try looks("", "") == [])
        #expect(try looks("paths: ['**']") == [])
        #expect(try looks("paths: ['**.md']") == [])
        #expect(try looks("paths: [Sources/**, 'ab?c', '!Sources/x']") == both)
    }
}
