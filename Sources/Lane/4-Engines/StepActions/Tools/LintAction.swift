import Actions
package import LaneModel

/// The `lint` action, which runs a linter on the package's sources and reports its diagnostics.
package struct LintAction: SwiftToolAction {
    package let purpose = "lint"

    package init() {}

    /// Returns the command line of the linter that `tool` names.
    ///
    /// SwiftLint prints `file:line:column: severity: message` like a compiler, unless its configuration sets another
    /// reporter.
    package func words(_ settings: Settings) -> [String] {
        let isStrict = settings.bool("strict") ?? true
        let rules = settings.string("rules")
        switch settings.string("tool") {
        case "swiftlint":
            return ["swiftlint", "lint", "--quiet", "--reporter", "xcode"] + (isStrict ? ["--strict"] : [])
                + (rules.map { ["--config", $0] } ?? [])
        default:
            return ["swift", "format", "lint", "--recursive", "--parallel"] + (isStrict ? ["--strict"] : [])
                + (rules.map { ["--configuration", $0] } ?? [])
        }
    }
}
