import Files
package import LaneModel
package import LaneRun

/// An action that runs one tool on the package's sources.
package protocol SwiftToolAction: StepAction {
    /// The purpose of the tool as a verb, such as `format`.
    var purpose: String { get }

    /// Returns the command line without the paths.
    func words(_ settings: Settings) -> [String]
}

extension SwiftToolAction {
    package func summary(of settings: Settings) -> String { command(of: settings) ?? "" }

    package func command(of settings: Settings) -> String? {
        ShellWords.line(words(settings) + (settings.strings("paths") ?? ["Sources", "Tests"]))
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let paths = settings.strings("paths") ?? sourcePaths(in: context.directory)
        guard !paths.isEmpty else { return StepResult(skipReason: "there is nothing to \(purpose)") }
        try context.runBuildTool(words(settings) + paths)
        return StepResult()
    }

    /// Returns the usual directories of a Swift package's sources, which exclude build products.
    private func sourcePaths(in directory: String) -> [String] {
        ["Package.swift", "Sources", "Tests", "Plugins", "Examples", "Benchmarks"].filter {
            fileExists("\(directory)/\($0)")
        }
    }
}
