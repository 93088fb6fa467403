import Files
import LaneModel
import LaneRun

/// The `format` and `lint` actions, which call `swift format` of the toolchain.
struct SwiftFormatAction: StepAction {
    let action: BuiltInAction

    func summary(of settings: Settings) -> String { command(of: settings) ?? "" }

    func command(of settings: Settings) -> String? {
        ShellWords.line(line(settings, paths: settings.strings("paths") ?? ["Sources", "Tests"]))
    }

    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let paths = settings.strings("paths") ?? usualPaths(in: context.directory)
        guard !paths.isEmpty else { return StepResult(skipReason: "there is nothing to \(action.rawValue)") }
        try context.runBuildTool(line(settings, paths: paths))
        return StepResult()
    }

    private func line(_ settings: Settings, paths: [String]) -> [String] {
        ["swift", "format"] + (action == .lint ? lintWords(settings) : formatWords(settings)) + paths
    }

    private func formatWords(_ settings: Settings) -> [String] {
        (settings.bool("check") == true ? ["lint", "--strict"] : ["format", "--in-place"])
            + ["--recursive", "--parallel"]
    }

    private func lintWords(_ settings: Settings) -> [String] {
        var words = ["lint", "--recursive", "--parallel"]
        if settings.bool("strict") ?? true { words.append("--strict") }
        if let rules = settings.string("rules") { words += ["--configuration", rules] }
        return words
    }

    /// Returns the files and directories of a package's sources, without build products.
    private func usualPaths(in directory: String) -> [String] {
        ["Package.swift", "Sources", "Tests", "Plugins", "Examples", "Benchmarks"].filter {
            fileExists("\(directory)/\($0)")
        }
    }
}
