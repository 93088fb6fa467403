import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import TestEngine
import TestSupport
import Testing
import Text

@testable import ChangeImpact
@testable import TestActions

@Suite(.startsPrograms) struct ChangedTestsTests {
    /// A package in a directory of a repository, with a library, its tests, and tests without dependencies.
    private func package(below directory: String) throws -> GitFixture {
        let fixture = try GitFixture()
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "app", targets: [
                .target(name: "App"), .testTarget(name: "AppTests", dependencies: ["App"]),
                .testTarget(name: "OtherTests"),
            ])
            """, to: "\(directory)Package.swift")
        try fixture.write(".build/\n", to: ".gitignore")
        try fixture.write("", to: "\(directory)Sources/App/a.swift")
        try fixture.write("", to: "\(directory)Tests/AppTests/b.swift")
        try fixture.write(
            #"let root = parentDirectory(parentDirectory(parentDirectory(#filePath))), d = read("\(root)/docs/d.md")"#,
            to: "\(directory)Tests/OtherTests/c.swift")
        try fixture.write("", to: "\(directory)Sources/App/z.swift")
        try fixture.write("1", to: "ext/data")
        try fixture.shell("ln -s \"$PWD/ext\" \(directory)Tests/AppTests/data")
        try fixture.commit("base")
        return fixture
    }

    private func select(
        _ fixture: GitFixture, below directory: String, _ settings: Settings
    ) throws -> (lines: [String], modules: Set<String>?) {
        var options = TestOptions()
        // On a CI service, HEAD without changes is part of its base.
        let environment = buildEnvironment().filter { $0.key != "CI" }
        let path = directory.isEmpty ? fixture.path : "\(fixture.path)/\(directory.dropLast())"
        let selection = try ChangedTests(
            directory: path, environment: environment, processes: ChildRunner()
        ).select(settings, &options)
        return (selection?.lines ?? [], options.choice.modules)
    }

    @Test(arguments: ["", "packages/app/"])
    func changesSelectTests(_ directory: String) throws {
        let fixture = try package(below: directory)
        let settings = Settings(["changed-base": .string("HEAD")])
        #expect(try select(fixture, below: directory, settings).modules == [])
        try fixture.write("", to: "\(directory)docs/d.md")
        try fixture.write("", to: "README.md")
        let (lines, modules) = try select(fixture, below: directory, settings)
        #expect(modules == ["OtherTests"])
        #expect(
            lines.dropFirst() == [
                "  'README.md' is in no target, and no test reads it",
                "  OtherTests: '\(directory)docs/d.md' is read: the tests use '\(directory)docs/d.md'",
                "  not affected: AppTests",
            ])
        #expect(lines[0].hasPrefix("1 of 2 test targets run: 2 files changed since "))
        // A file in the directory that a link in the test target leads to.
        try fixture.write("2", to: "ext/data")
        #expect(try select(fixture, below: directory, settings).modules == ["AppTests", "OtherTests"])
        try fixture.commit("changes")
        try fixture.shell("git rm --quiet \(directory)Sources/App/a.swift")
        #expect(try select(fixture, below: directory, settings).modules == ["AppTests"])
        try fixture.shell("echo '// A comment' >>\(directory)Package.swift")
        let doubt = try select(fixture, below: directory, settings)
        #expect(doubt.modules == nil)
        #expect(doubt.lines == ["all tests run: '\(directory)Package.swift' defines the targets"])
    }

    @Test func nothingIsSelectedUnlessRequested() throws {
        let fixture = try GitFixture()
        #expect(try select(fixture, below: "", Settings()).lines.isEmpty)
        #expect(
            try select(fixture, below: "", Settings(["changed": .bool(false), "changed-base": .string("x")])).lines
                .isEmpty)
    }

    @Test func packagesWithoutManifestRunAllTests() throws {
        let fixture = try GitFixture()
        try fixture.commit("first")
        try fixture.write("", to: "a")
        let selection = try select(fixture, below: "", Settings(["changed-base": .string("HEAD")]))
        #expect(selection.lines == ["all tests run: 'swift package' could not describe the package"])
    }
}
