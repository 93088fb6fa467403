package import Actions
package import Expressions
package import LaneModel
package import OperatingSystem

/// An action that runs one tool on the package's sources.
package protocol SwiftToolAction: StepAction {
    /// The purpose of the tool as a verb, such as `format`.
    var purpose: String { get }

    /// Returns the command line without the paths.
    func words(_ settings: Settings) -> [String]
}

extension SwiftToolAction {
    package func summary(of settings: Settings) -> String {
        settings.strings("paths").map { line(settings, $0) } ?? "\(line(settings, [])) on all sources"
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        StepForecast(command(of: settings, in: context.directory) ?? nothingToDo)
    }

    package func command(of settings: Settings, in directory: String) -> String? {
        let paths = paths(settings, in: directory)
        return paths.isEmpty ? nil : line(settings, paths)
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let paths = paths(settings, in: context.directory)
        guard !paths.isEmpty else { return StepResult(skipReason: nothingToDo) }
        try context.runBuildTool(words(settings) + paths)
        return StepResult()
    }

    private var nothingToDo: String { "there is nothing to \(purpose)" }

    private func line(_ settings: Settings, _ paths: [String]) -> String { ShellWords.line(words(settings) + paths) }

    /// Returns the paths in the settings, or by default the usual files and directories of a Swift package's sources,
    /// which exclude build products.
    private func paths(_ settings: Settings, in directory: String) -> [String] {
        settings.strings("paths")
            ?? ["Package.swift", "Sources", "Tests", "Plugins", "Examples", "Benchmarks"].filter {
                fileExists("\(directory)/\($0)")
            }
    }
}
