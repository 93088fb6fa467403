import Files
import LaneModel
import LaneRun

/// An action that is one call of the toolchain's `swift format` on the package's sources.
protocol SwiftFormatAction: StepAction {
    /// What is done with the sources, as a verb.
    var purpose: String { get }

    /// What follows `swift format`, up to the paths.
    func words(_ settings: Settings) -> [String]
}

extension SwiftFormatAction {
    func summary(of settings: Settings) -> String { command(of: settings) ?? "" }

    func command(of settings: Settings) -> String? {
        ShellWords.line(line(settings, paths: settings.strings("paths") ?? ["Sources", "Tests"]))
    }

    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let paths = settings.strings("paths") ?? usualPaths(in: context.directory)
        guard !paths.isEmpty else { return StepResult(skipReason: "there is nothing to \(purpose)") }
        try context.runBuildTool(line(settings, paths: paths))
        return StepResult()
    }

    private func line(_ settings: Settings, paths: [String]) -> [String] {
        ["swift", "format"] + words(settings) + paths
    }

    /// What a Swift package keeps its sources in, so that build products are left alone.
    private func usualPaths(in directory: String) -> [String] {
        ["Package.swift", "Sources", "Tests", "Plugins", "Examples", "Benchmarks"].filter {
            fileExists("\(directory)/\($0)")
        }
    }
}
