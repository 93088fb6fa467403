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
        var text: [UInt8] = []
        do {
            let report = try processes.run(
                package.swiftBuild(["--build-tests"]), limits: RunLimits(cancellation: cancellation)
            ) { _, bytes in text.append(contentsOf: bytes) }
            if !report.succeeded {
                send(.buildDiagnostic(BuildDiagnostic(.error, String(decoding: text, as: UTF8.self))))
            }
            return report.succeeded
        } catch {
            throw .cannotStart(error)
        }
    }
}
