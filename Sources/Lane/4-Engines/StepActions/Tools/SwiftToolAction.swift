package import Actions
package import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// A tool that formats or lints sources.
package enum StyleTool: String, Sendable {
    case swiftFormat = "swift-format"
    case swiftformat
    case swiftlint

    /// The name of the configuration file.
    var configuration: String {
        switch self {
        case .swiftFormat: ".swift-format"
        case .swiftformat: ".swiftformat"
        case .swiftlint: ".swiftlint.yml"
        }
    }
}

/// An action that runs one tool on the package's sources.
package protocol SwiftToolAction: BuiltInStepAction {
    /// The purpose of the tool as a verb, such as `format`.
    var purpose: String { get }

    /// The tools that the action can run. The first one with a configuration file runs.
    var tools: [StyleTool] { get }

    /// Returns the command line of a tool without the paths.
    func words(_ settings: Settings, for tool: StyleTool) -> [String]
}

extension SwiftToolAction {
    package func summary(of settings: Settings) -> String {
        // The tool may depend on files.
        guard let tool = settings.string("tool").flatMap(StyleTool.init) else {
            return "\(purpose) \(settings.strings("paths").map(ShellWords.line) ?? "all sources")"
        }
        return settings.strings("paths").map { line(settings, $0, tool) }
            ?? "\(line(settings, [], tool)) on all sources"
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        StepForecast(command(of: settings, in: context.directory) ?? nothingToDo)
    }

    package func command(of settings: Settings, in directory: String) -> String? {
        let paths = paths(settings, in: directory)
        return paths.isEmpty ? nil : line(settings, paths, tool(settings, in: directory))
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let paths = paths(settings, in: context.directory)
        guard !paths.isEmpty else { return StepResult(skipReason: nothingToDo) }
        let configured = configuredTool(settings, in: context.directory)
        do throws(OperationFailure) {
            try context.build(words(settings, for: configured ?? .swiftFormat) + paths)
        } catch {
            // A new package of SwiftPM has four spaces and no configuration.
            guard configured == nil, error.status == 1 else { throw error }
            throw OperationFailure(
                status: error.status,
                "\(error.message)\nhint: \(inQuotes(ShellWords.line(["swift", "format", "-i", "-r"] + paths))) formats the files; "
                    + "without a '\(StyleTool.swiftFormat.configuration)', it indents by two spaces",
                cause: error.cause)
        }
        return StepResult()
    }

    private var nothingToDo: String { "there is nothing to \(purpose)" }

    private func line(_ settings: Settings, _ paths: [String], _ tool: StyleTool) -> String {
        ShellWords.line(words(settings, for: tool) + paths)
    }

    /// Returns the tool to run: without a setting and without a configuration file, the toolchain's swift-format.
    private func tool(_ settings: Settings, in directory: String) -> StyleTool {
        configuredTool(settings, in: directory) ?? .swiftFormat
    }

    /// Returns the tool in the settings, or the first one whose configuration file is in the directory or above, up to
    /// the root of the repository.
    private func configuredTool(_ settings: Settings, in directory: String) -> StyleTool? {
        if let tool = settings.string("tool").flatMap(StyleTool.init) { return tool }
        var directory = directory
        while true {
            if let found = tools.first(where: { fileExists("\(directory)/\($0.configuration)") }) { return found }
            guard directory != "/", !fileExists("\(directory)/.git") else { return nil }
            directory = parentDirectory(directory)
        }
    }

    /// Returns the paths in the settings, or by default the usual files and directories of a Swift package's sources,
    /// which exclude build products.
    private func paths(_ settings: Settings, in directory: String) -> [String] {
        settings.strings("paths")
            ?? ["Package.swift", "Sources", "Tests", "Plugins", "Examples", "Benchmarks"].filter {
                fileExists("\(directory)/\($0)")
            }
    }
}
