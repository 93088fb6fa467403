import Processes
import Synchronization

/// The `ProcessRunner` that a step gets: secrets masked, the step's deadline and cancellation in force whatever limits the
/// action gives, which can only make them tighter.
///
/// An action that passes a cancellation of its own derives it from its context's.
final class StepProcesses: ProcessRunner {
    enum Stop {
        case timeout(Duration)
        case cancelled
    }

    private let base: any ProcessRunner
    private let mask: SecretMask
    private let limit: TimeLimit?
    private let grace: Duration
    private let cancellation: Cancellation
    private let firstStop: FirstStop

    /// What ended a child of the step first, shared with the runner that does not mask.
    private final class FirstStop: Sendable {
        let value = Mutex<Stop?>(nil)
    }

    convenience init(
        base: any ProcessRunner, mask: SecretMask, limit: TimeLimit?, grace: Duration, cancellation: Cancellation
    ) {
        self.init(base, mask, limit, grace, cancellation, FirstStop())
    }

    private init(
        _ base: any ProcessRunner, _ mask: SecretMask, _ limit: TimeLimit?, _ grace: Duration,
        _ cancellation: Cancellation, _ firstStop: FirstStop
    ) {
        self.base = base
        self.mask = mask
        self.limit = limit
        self.grace = grace
        self.cancellation = cancellation
        self.firstStop = firstStop
    }

    /// The same, but what children print is handed on as it is.
    var unmasked: StepProcesses {
        mask.isEmpty ? self : StepProcesses(base, SecretMask([:]), limit, grace, cancellation, firstStop)
    }

    /// Why children of this step were ended from outside, if any was.
    var stop: Stop? { firstStop.value.withLock { $0 } }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        var limits = limits
        limits.grace = min(limits.grace, grace)
        limits.cancellation = limits.cancellation ?? cancellation
        if let limit {
            let left = limit.moment - Monotonic.now
            guard left > .zero else {
                note(.timeout(limit.length))
                return ExitReport(termination: .signalled(15), stoppedBy: .timeout, duration: .zero)
            }
            limits.timeout = min(limits.timeout ?? left, left)
        }
        let report = try runMasked(command, limits, output)
        switch report.stoppedBy {
        case .timeout: if let limit, Monotonic.now >= limit.moment { note(.timeout(limit.length)) }
        case .cancelled: if cancellation.isCancelled { note(.cancelled) }
        case nil: break
        }
        return report
    }

    private func runMasked(
        _ command: Command, _ limits: RunLimits, _ output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        guard !mask.isEmpty else { return try base.run(command, limits: limits, output: output) }
        var standardOutput = MaskedStream(mask)
        var standardError = MaskedStream(mask)
        let report = try base.run(command, limits: limits) { source, bytes in
            switch source {
            case .standardOutput: standardOutput.pass(bytes) { output(.standardOutput, $0) }
            case .standardError: standardError.pass(bytes) { output(.standardError, $0) }
            }
        }
        standardOutput.finish { output(.standardOutput, $0) }
        standardError.finish { output(.standardError, $0) }
        return report
    }

    private func note(_ stop: Stop) {
        firstStop.value.withLock { if $0 == nil { $0 = stop } }
    }
}
