import Events
import OperatingSystem
import SwiftPackages

/// A build of the package with its tests. It sends progress and diagnostics as events.
struct PackageBuild {
    let package: SwiftPackage
    let processes: any ProcessRunner
    let cancellation: Cancellation
    let send: @Sendable (LaneEvent.Kind) -> Void

    /// Runs the build. Returns `false` if it failed.
    func run() throws(TestEngineFailure) -> Bool {
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
        let build: BuildRun
        do {
            build = try BuildRun(
                package.swift("build", ["--build-tests"]), root: package.directory, with: processes,
                limits: RunLimits(cancellation: cancellation), send: emit)
        } catch {
            throw .cannotStart(error)
        }
        guard !build.report.succeeded else { return true }
        if let refusal { throw .noSanitizer(refusal) }
        if hasNothingToBuild { throw .nothingToBuild }
        if !build.hasErrors, build.report.stoppedBy == nil { sendUnknownLines(of: build) }
        return false
    }

    /// SwiftPM's message for a package with only plugins.
    private static let nothingToBuild = "The package does not contain a buildable target"

    /// The compiler's message for a sanitizer that is not available.
    private static let noSanitizer = "unsupported option '-sanitize="

    /// Sends the unknown lines of a build that failed without a diagnostic.
    private func sendUnknownLines(of build: BuildRun) {
        let words = build.unknownLines.suffix(40)
        let text =
            words.isEmpty ? "swift build ended with \(ProcessEnding(build.report))" : words.joined(separator: "\n")
        send(.buildDiagnostic(BuildDiagnostic(.error, text)))
    }
}
