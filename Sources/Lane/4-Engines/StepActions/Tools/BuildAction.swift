package import Actions
import Events
package import LaneModel
package import OperatingSystem
import ToolOutput

/// The `build` action, which runs `swift build` and reports each diagnostic once.
package struct BuildAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        arguments(settings).map { ShellWords.line(["swift"] + $0) }.joined(separator: " && ")
    }

    package func command(of settings: Settings, in directory: String) -> String? { summary(of: settings) }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        for arguments in arguments(settings) {
            try context.runBuildTool(["swift"] + arguments)
        }
        return StepResult()
    }

    /// Returns the arguments of `swift build` for each product, because it builds only one product at a time.
    private func arguments(_ settings: Settings) -> [[String]] {
        var common = ["build"]
        if let configuration = settings.string("configuration") { common += ["-c", configuration] }
        if settings.bool("static") == true { common.append("--static-swift-stdlib") }
        if let target = settings.string("target") { common += ["--target", target] }
        common += settings.strings("arguments") ?? []
        let products = (settings.string("product").map { [$0] } ?? []) + (settings.strings("products") ?? [])
        return products.isEmpty ? [common] : products.map { common + ["--product", $0] }
    }
}

extension StepContext {
    /// Runs a tool whose output has the format of a compiler. Sends events for diagnostics and progress, and passes
    /// other lines through.
    package func runBuildTool(_ words: [String]) throws(OperationFailure) {
        var parser = BuildOutputParser(root: directory)
        let command = Command(
            words[0], Array(words.dropFirst()), environment: environment, directory: directory,
            output: .merged
        ).hidingMarks
        let report: ExitReport
        do throws(SpawnError) {
            report = try processes.run(command, limits: RunLimits()) { _, bytes in
                parser.consume(bytes, emit: send)
            }
        } catch {
            throw OperationFailure(error)
        }
        parser.finish(emit: send)
        guard !report.succeeded else { return }
        if parser.errors == 0 {
            let output = parser.unknownLines.map { $0 + "\n" }.joined()
            send(.stepOutput(OutputChunk(stream: .standardError, bytes: Array(output.utf8))))
        }
        throw OperationFailure(report)
    }
}
