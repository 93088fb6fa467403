import Expressions
import LaneModel
import LaneRun
import Testing
import ToolActions

/// The command lines of the actions, as `--plan` prints them.
@Suite struct CommandLineTests {
    @Test(
        arguments: [
            ([:], "swift format format --in-place --recursive --parallel Sources Tests"),
            (
                ["check": .bool(true), "paths": .list([.string("A B")])],
                "swift format lint --strict --recursive --parallel 'A B'"
            ),
        ] as [([String: Value], String)])
    func formatChangesFilesOrChecksThem(_ settings: [String: Value], _ line: String) {
        #expect(FormatAction().command(of: Settings(settings)) == line)
    }

    @Test(
        arguments: [
            ([:], "swift format lint --recursive --parallel --strict Sources Tests"),
            (
                ["strict": .bool(false), "rules": .string("r.json")],
                "swift format lint --recursive --parallel --configuration r.json Sources Tests"
            ),
            (
                ["tool": .string("swiftlint"), "rules": .string("r.yml")],
                "swiftlint lint --quiet --reporter xcode --strict --config r.yml Sources Tests"
            ),
        ] as [([String: Value], String)])
    func lintRunsTheChosenTool(_ settings: [String: Value], _ line: String) {
        #expect(LintAction().command(of: Settings(settings)) == line)
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
        #expect(BuildAction().command(of: Settings(settings)) == line)
    }
}
