import Events
import OperatingSystem
import ToolOutput

/// A build of the package with its tests. It sends progress and diagnostics as events.
struct PackageBuild {
    let package: SwiftPackage
    let processes: any ProcessRunner
    let cancellation: Cancellation
    let send: @Sendable (LaneEvent.Kind) -> Void

    /// Runs the build. Returns `false` if it failed.
    func run() throws(TestEngineFailure) -> Bool {
        var parser = BuildOutputParser(root: package.directory)
        var hasNothingToBuild = false
        var refusal: String?
        func emit(_ kind: LaneEvent.Kind) {
            if case .buildDiagnostic(let fault) = kind, fault.message.hasPrefix(Self.noSanitizer) {
                refusal = refusal ?? fault.message
            } else if case .buildDiagnostic(let fault) = kind, fault.message.hasPrefix(Self.nothingToBuild) {
                hasNothingToBuild = true
            } else {
                send(kind)
            }
        }
        let report: ExitReport
        do {
            report = try processes.run(
                package.swift("build", ["--build-tests"]), limits: RunLimits(cancellation: cancellation)
            ) { _, bytes in parser.consume(bytes, emit: emit) }
        } catch {
            throw .cannotStart(error)
        }
        parser.finish(emit: emit)
        if let refusal, !report.succeeded { throw .noSanitizer(refusal) }
        if hasNothingToBuild, !report.succeeded { throw .nothingToBuild }
        if !report.succeeded, parser.errors == 0, report.stoppedBy == nil { sendUnknownLines(parser, report) }
        return report.succeeded
    }

    /// SwiftPM's message for a package with only plugins.
    private static let nothingToBuild = "The package does not contain a buildable target"

    /// The compiler's message for a sanitizer that is not available.
    private static let noSanitizer = "unsupported option '-sanitize="

    /// Sends the unknown lines of a build that failed without a diagnostic.
    private func sendUnknownLines(_ parser: BuildOutputParser, _ report: ExitReport) {
        let words = parser.unknownLines.suffix(40)
        let text = words.isEmpty ? "swift build ended with \(ProcessEnding(report))" : words.joined(separator: "\n")
        send(.buildDiagnostic(BuildDiagnostic(.error, text)))
    }
}
