import LaneEvents
import Processes
import TestOutput

/// Builds the package with its tests and tells how far it is and what went wrong.
struct PackageBuild {
    let package: SwiftPackage
    let processes: any ProcessRunner
    let cancellation: Cancellation
    let send: @Sendable (LaneEvent.Kind) -> Void

    /// Whether it was built.
    func run() throws(TestEngineFailure) -> Bool {
        var parser = BuildOutputParser(root: package.directory)
        let report: ExitReport
        do {
            report = try processes.run(
                package.swift("build", ["--build-tests"]), limits: RunLimits(cancellation: cancellation)
            ) { _, bytes in parser.consume(bytes, emit: send) }
        } catch {
            throw .cannotStart(error)
        }
        parser.finish(emit: send)
        if !report.succeeded, parser.errors == 0, report.stoppedBy == nil { tellWhatIsKnown(parser, report) }
        return report.succeeded
    }

    /// The build failed and said why in words that no grammar knows.
    private func tellWhatIsKnown(_ parser: BuildOutputParser, _ report: ExitReport) {
        let words = parser.unknownLines.suffix(40)
        let text = words.isEmpty ? "swift build ended with \(ProcessEnding(report))" : words.joined(separator: "\n")
        send(.buildDiagnostic(BuildDiagnostic(.error, text)))
    }
}
