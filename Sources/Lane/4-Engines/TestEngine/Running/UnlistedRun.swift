import Events
import OperatingSystem
import ToolOutput

/// The run of tests that cannot be listed. `swift test` runs them, and its output contains the results.
struct UnlistedRun {
    let package: SwiftPackage
    let processes: any ProcessRunner
    let cancellation: Cancellation
    let send: @Sendable (LaneEvent.Kind) -> Void

    struct End {
        let counts: TestCounts
        let outside: OutsideFailure
        let stop: StopReason?
        /// The reason for a failure without a failed test.
        let reason: String?
    }

    func run(_ testEnvironment: TestEnvironment) throws(TestEngineFailure) -> End {
        var reader = SwiftTestReader(root: package.directory)
        var summary = RunSummary()
        func take(_ kind: LaneEvent.Kind) {
            summary.receive(LaneEvent(number: 0, offset: .zero, step: nil, kind: kind))
            send(kind)
        }
        let processEnvironment = try testEnvironment.processEnvironment(.everyProgram, tellsArguments: false)
        defer { processEnvironment.remove() }
        let limit = package.options.times.runTimeout
        let report: ExitReport
        do {
            report = try processes.run(
                processEnvironment.wrapping(package.swift("test", ["--skip-build"])),
                limits: RunLimits(timeout: limit, cancellation: cancellation)
            ) { source, bytes in
                switch source {
                case .standardOutput: reader.consumeOutput(bytes, emit: take)
                case .standardError: reader.consumeErrors(bytes, emit: take)
                }
            }
        } catch {
            throw .cannotStart(error)
        }
        reader.finish(emit: take)
        let stop: StopReason? =
            switch report.stoppedBy {
            case .cancelled: .cancelled
            case .timeout: limit.map { .runTimeout($0) }
            case nil: nil
            }
        return End(
            counts: summary.counts, outside: summary.failuresOutsideTests.isEmpty ? .nothing : .issue, stop: stop,
            reason: report.succeeded ? nil : "'swift test' failed with \(ProcessEnding(report))")
    }
}
