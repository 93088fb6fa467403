import LaneModel
import LaneRun
import Processes

/// The `lint` action: the toolchain's own `swift format lint`, which changes nothing.
struct LintAction: StepAction {
    func summary(of settings: Settings) -> String { command(of: settings) ?? "" }

    func command(of settings: Settings) -> String? {
        Command.line(words(settings, paths: settings.strings("paths") ?? ["Sources", "Tests"]))
    }

    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let paths = settings.strings("paths") ?? FormatAction.usualPaths(in: context.directory)
        guard !paths.isEmpty else { return StepResult(skipReason: "there is nothing to lint") }
        try context.runBuildTool(words(settings, paths: paths))
        return StepResult()
    }

    private func words(_ settings: Settings, paths: [String]) -> [String] {
        var words = ["swift", "format", "lint", "--recursive", "--parallel"]
        if settings.bool("strict") ?? true { words.append("--strict") }
        if let rules = settings.string("rules") { words += ["--configuration", rules] }
        return words + paths
    }
}
