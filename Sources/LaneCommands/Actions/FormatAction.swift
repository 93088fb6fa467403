import Files
import LaneModel
import LaneRun
import Processes

/// The `format` action: the toolchain's own `swift format`, either to mend or to check.
struct FormatAction: StepAction {
    func summary(of settings: Settings) -> String { command(of: settings) ?? "" }

    func command(of settings: Settings) -> String? {
        Command.line(words(settings, paths: settings.strings("paths") ?? ["Sources", "Tests"]))
    }

    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let paths = settings.strings("paths") ?? Self.usualPaths(in: context.directory)
        guard !paths.isEmpty else { return StepResult(skipReason: "there is nothing to format") }
        try context.runBuildTool(words(settings, paths: paths))
        return StepResult()
    }

    private func words(_ settings: Settings, paths: [String]) -> [String] {
        let mode =
            settings.bool("check") == true ? ["lint", "--strict"] : ["format", "--in-place"]
        return ["swift", "format"] + mode + ["--recursive", "--parallel"] + paths
    }

    /// What a Swift package keeps its sources in, so that build products are left alone.
    static func usualPaths(in directory: String) -> [String] {
        ["Package.swift", "Sources", "Tests", "Plugins", "Examples", "Benchmarks"].filter {
            fileExists("\(directory)/\($0)")
        }
    }
}
