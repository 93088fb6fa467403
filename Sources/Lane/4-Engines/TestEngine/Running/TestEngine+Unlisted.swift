import Events
import OperatingSystem
import Text
import ToolOutput

extension TestEngine {
    /// Runs tests that no binary lists. `swift test` runs them, and its output contains the results.
    func runUnlisted() throws(TestEngineFailure) -> TestVerdict {
        try withScratch { (scratch) throws(TestEngineFailure) in
            let testEnvironment = TestEnvironment(
                package.environment, options: options, profile: nil, scratch: scratch, wrapper: wrapper,
                lineBuffering: LineBuffering(of: package, processes, scratch: scratch))
            let processEnvironment = try testEnvironment.processEnvironment(.everyProgram, tellsArguments: false)
            defer { processEnvironment.remove() }
            var reader = SwiftTestReader(root: package.directory)
            var summary = RunSummary()
            func take(_ kind: LaneEvent.Kind) {
                summary.receive(LaneEvent(number: 0, offset: .zero, step: nil, kind: kind))
                events.send(kind)
            }
            let limit = options.times.runTimeout
            let report: ExitReport
            do throws(SpawnError) {
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
            var verdict = verdict(summary.counts, summary.failuresOutsideTests.isEmpty ? .nothing : .issue, stop)
            guard verdict.status == .done else { return verdict }
            if !report.succeeded {
                verdict = TestVerdict(
                    status: .failed, counts: summary.counts,
                    reason: "'swift test' failed with \(ProcessEnding(report))")
            } else if summary.counts.ended == 0 {
                verdict = TestVerdict(status: .nothingRan, reason: "'swift test' succeeded, but ran no test")
            }
            return verdict
        }
    }
}
