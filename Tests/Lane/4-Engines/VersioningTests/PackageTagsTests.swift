import ActionFixtures
import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing

@testable import Versioning

/// Tests of repositories with several packages.
@Suite(.startsPrograms) struct PackageTagsTests {
    /// The tags, the names and directory of the package, its last release, and the prefix of its next tag.
    @Test(
        arguments: [
            (["1.0.0", "v2.0.0"], ["shape"], "", "v2.0.0", "v"),
            (["1.2.0", "shape-cli-3.0.0"], ["shape"], "", "1.2.0", ""),
            (["shape-v1.2.0", "other-v3.0.0"], ["shape"], "", "shape-v1.2.0", "shape-v"),
            (["shape-0.9.0", "1.0.0", "other-3.0.0"], ["shape"], "", "1.0.0", ""),
            (["tracer-v1.2.3"], ["shape"], "", "tracer-v1.2.3", "tracer-v"),
            (["a/1.0.0", "b/2.0.0"], ["shape", "a"], "a", "a/1.0.0", "a/"),
            (["a/1.0.0", "4.0.0"], ["shape", "a"], "a", "a/1.0.0", "a/"),
            (
                ["Packages/A@1.0.0", "3.0.0"], ["shape", "a", "packages/a"], "Packages/A", "Packages/A@1.0.0",
                "Packages/A@"
            ),
            (["3.0.0", "b/4.0.0"], ["a"], "a", "3.0.0", ""),
        ] as [([String], Set<String>, String, String, String)])
    func tagsOfPackagesAreDistinguished(
        tags: [String], names: Set<String>, directory: String, last: String, prefix: String
    ) {
        let found = ReleaseTags(
            all: Set(tags), reachable: tags, of: TaggedPackage(names: names, subdirectory: directory))
        #expect(found.last?.name == last)
        #expect(found.highest?.name == last)
        #expect(found.prefix == prefix)
        #expect(found.problem == nil)
    }

    @Test func ambiguousTagsNeedAPrefix() throws {
        let fixture = try GitFixture("shape")
        try fixture.write("let package = Package(name: \"Shape\")\n", to: "Package.swift")
        try fixture.commit("Begin")
        try fixture.git("tag server-1.0.0")
        try fixture.git("tag client-2.0.0")
        try fixture.commit("feat: more")
        let refusal = fixture.refusal(of: BumpAction(), ["version": .string("minor")])
        #expect(
            refusal?.message == """
                the tags 'client-2.0.0' and 'server-1.0.0' name versions of different things
                hint: set the prefix of this package's tags in 'env', for example LANE_TAG_PREFIX: client-
                """)
        let said = ["LANE_TAG_PREFIX": "server-"]
        let result = try fixture.run(BumpAction(), ["version": .string("minor")], environment: said)
        #expect(result.outputs["tag"] == .string("server-1.1.0"))
    }

    /// A package at the root. In subdirectories, only other packages have their own tags.
    @Test(arguments: [("Tools/a.sh", "1.1.0"), ("Tools/Package.swift", "0.2.0")])
    func directoriesWithTheNameOfATag(file: String, version: String) throws {
        let fixture = try GitFixture("shape")
        try fixture.write("let package = Package(name: \"Shape\")\n", to: "Package.swift")
        try fixture.write("public let shapeVersion = \"0.1.0\"\n", to: "Sources/Version.swift")
        try fixture.write("", to: file)
        try fixture.commit("Begin")
        try fixture.git("tag tools-1.0.0")
        try fixture.commit("feat: more")
        let result = try fixture.run(BumpAction(), ["version": .string("minor")])
        #expect(result.outputs["version"] == .string(version))
    }

    /// Each package continues its own tags, and a new package gets tags of the same form.
    @Test(arguments: [("a", "1.1.0", "a/v1.1.0"), ("b", "2.3.0", "b/v2.3.0"), ("new", "0.2.0", "new/v0.2.0")])
    func packagesBesideEachOther(directory: String, version: String, tag: String) throws {
        let fixture = try GitFixture("shapes")
        for name in ["a", "b", "new"] {
            try fixture.write("let package = Package(name: \"Shape\(name)\")\n", to: "\(name)/Package.swift")
        }
        try fixture.write("public let shapenewVersion = \"0.1.0\"\n", to: "new/Sources/Version.swift")
        try fixture.commit("Begin")
        for tag in ["a/v1.0.0", "b/v2.2.0"] { try fixture.git("tag \(tag)") }
        try fixture.commit("feat: more")
        let context = StepContext.fixture(in: "\(fixture.path)/\(directory)", environment: fixture.environment)
        let result = try BumpAction().run(Settings(["version": .string("minor")]), in: context)
        #expect(result.outputs["version"] == .string(version))
        #expect(result.outputs["tag"] == .string(tag))
    }

    /// The first release of a package in a subdirectory, with other packages and tags.
    @Test(
        arguments: [
            ([], [], "0.1.0"), (["sets/b"], [], "a-0.1.0"), (["libs/a"], [], "sets/a-0.1.0"),
            (["sets/a/Tests/Fixtures/x"], [], "0.1.0"), ([""], [], "a-0.1.0"), ([""], ["2.0.0"], "a-0.1.0"),
            ([""], ["v2.0.0"], "a-v0.1.0"),
        ] as [([String], [String], String)])
    func theFirstTagOfAPackageBelowTheTop(others: [String], tags: [String], tag: String) throws {
        let fixture = try GitFixture("shapes")
        for directory in ["sets/a"] + others {
            try fixture.write("let package = Package(name: \"Thing\")\n", to: "\(directory)/Package.swift")
        }
        try fixture.commit("Begin")
        for tag in tags { try fixture.git("tag \(tag)") }
        try fixture.commit("feat: more")
        let context = StepContext.fixture(in: "\(fixture.path)/sets/a", environment: fixture.environment)
        let result = try BumpAction().run(Settings(["version": .string("0.1.0")]), in: context)
        #expect(result.outputs["tag"] == .string(tag))
    }
}
