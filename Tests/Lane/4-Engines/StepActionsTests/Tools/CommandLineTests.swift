import Actions
import Expressions
import LaneModel
import StepActions
import TestSupport
import Testing

/// The command lines of the actions, as the start of a step and `--plan` print them.
@Suite struct CommandLineTests {
    /// Returns a package with a plugin and without tests.
    private func package() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for file in ["Package.swift", "Sources/a.swift", "Plugins/b.swift"] { try directory.write("", to: file) }
        return directory
    }

    @Test func aPackageWithoutSourcesHasNoCommand() throws {
        let directory = try TemporaryDirectory()
        #expect(LintAction().command(of: Settings([:]), in: directory.path) == nil)
        #expect(
            LintAction().summary(of: Settings(["tool": .string("swift-format")]))
                == "swift format lint --recursive --parallel --strict on all sources")
        #expect(LintAction().summary(of: Settings([:])) == "lint all sources")
        #expect(FormatAction().summary(of: Settings(["paths": .list([.string("A B")])])) == "format 'A B'")
    }

    @Test(arguments: [
        ([".swift-format"], "swift format format", "swift format lint"),
        ([".swiftlint.yml"], "swift format format", "swiftlint lint"),
        ([".swiftformat"], "swiftformat Package.swift", "swiftformat --lint"),
        ([".swiftformat", ".swiftlint.yml"], "swiftformat Package.swift", "swiftlint lint"),
        ([".swiftformat", ".swift-format"], "swift format format", "swift format lint"),
        ([".swift-format", ".swiftlint.yml"], "swift format format", "swiftlint lint"),
    ])
    func theConfigurationFileChoosesTheTool(_ files: [String], format: String, lint: String) throws {
        let package = try package()
        try package.write("", to: ".git/HEAD")
        try package.write("", to: "inner/Package.swift")
        for file in files { try package.write("", to: file) }
        for directory in [package.path, "\(package.path)/inner"] {
            #expect(FormatAction().command(of: Settings([:]), in: directory)?.hasPrefix(format) == true)
            #expect(LintAction().command(of: Settings([:]), in: directory)?.hasPrefix(lint) == true)
        }
        let checks = FormatAction().command(of: Settings(["check": .bool(true)]), in: "\(package.path)/inner")
        #expect(
            checks
                == (format.hasPrefix("swiftformat")
                    ? "swiftformat --lint Package.swift"
                    : "swift format lint --strict --recursive --parallel Package.swift"))
    }

    @Test(
        arguments: [
            ([:], "swift format format --in-place --recursive --parallel Package.swift Sources Plugins"),
            (
                ["check": .bool(true), "paths": .list([.string("A B")])],
                "swift format lint --strict --recursive --parallel 'A B'"
            ),
        ] as [([String: Value], String)])
    func formatChangesFilesOrChecksThem(_ settings: [String: Value], _ line: String) throws {
        let package = try package()
        #expect(FormatAction().command(of: Settings(settings), in: package.path) == line)
    }

    @Test(
        arguments: [
            ([:], "swift format lint --recursive --parallel --strict Package.swift Sources Plugins"),
            (
                ["strict": .bool(false), "rules": .string("r.json")],
                "swift format lint --recursive --parallel --configuration r.json Package.swift Sources Plugins"
            ),
            (
                ["tool": .string("swiftlint"), "rules": .string("r.yml")],
                "swiftlint lint --quiet --reporter xcode --strict --config r.yml Package.swift Sources Plugins"
            ),
        ] as [([String: Value], String)])
    func lintRunsTheChosenTool(_ settings: [String: Value], _ line: String) throws {
        let package = try package()
        #expect(LintAction().command(of: Settings(settings), in: package.path) == line)
    }

    @Test(
        arguments: [
            ([:], "swift build"),
            (
                ["configuration": .string("release"), "static": .bool(true), "product": .string("tool")],
                "swift build -c release --static-swift-stdlib --product tool"
            ),
            (
                ["products": .list([.string("A"), .string("B")])],
                "swift build --product A && swift build --product B"
            ),
        ] as [([String: Value], String)])
    func buildRunsOnceForEachProduct(_ settings: [String: Value], _ line: String) {
        #expect(BuildAction().command(of: Settings(settings), in: "/") == line)
    }
}
