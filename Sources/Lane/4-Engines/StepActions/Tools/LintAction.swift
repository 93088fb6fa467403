import Actions
import Expressions
package import LaneModel

/// The `lint` action, which runs a linter on the package's sources and reports its diagnostics.
package struct LintAction: SwiftToolAction {
    package static let schema = ActionSchema(
        "lint", "Lint the sources", shorthand: "paths",
        settings: [
            SettingSchema(
                "tool", .choice(["swift-format", "swiftlint", "swiftformat"]),
                "The linter; by default the one whose file is in the package, '.swiftlint.yml', '.swift-format' or '.swiftformat', or the toolchain's swift-format"
            ),
            SettingSchema("paths", .list(.path), "The files and directories to lint; all sources by default"),
            SettingSchema("strict", .bool, "Treat warnings as errors", default: .bool(true)),
            SettingSchema(
                "rules", .path, "The configuration file of the linter; by default the file that the linter finds"),
        ],
        outputs: [],
        isCheck: true,
        example: """
            - lint: {}
            - lint: { tool: swiftlint, paths: [Sources], strict: false, rules: .swiftlint.yml }
            """)

    package let purpose = "lint"
    // A package with the formatter SwiftFormat would not pass swift-format.
    package let tools = [StyleTool.swiftlint, .swiftFormat, .swiftformat]

    package init() {}

    /// Returns the command line of a linter.
    ///
    /// SwiftLint prints `file:line:column: severity: message` like a compiler, unless its configuration sets another
    /// reporter.
    package func words(_ settings: Settings, for tool: StyleTool) -> [String] {
        let isStrict = settings.bool("strict") ?? true
        let rules = settings.string("rules")
        switch tool {
        case .swiftlint:
            return ["swiftlint", "lint", "--quiet", "--reporter", "xcode"] + (isStrict ? ["--strict"] : [])
                + (rules.map { ["--config", $0] } ?? [])
        case .swiftformat:
            return ["swiftformat", "--lint"] + (isStrict ? [] : ["--lenient"]) + (rules.map { ["--config", $0] } ?? [])
        case .swiftFormat:
            return ["swift", "format", "lint", "--recursive", "--parallel"] + (isStrict ? ["--strict"] : [])
                + (rules.map { ["--configuration", $0] } ?? [])
        }
    }
}
