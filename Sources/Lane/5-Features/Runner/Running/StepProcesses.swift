import Actions
import OperatingSystem
import Synchronization

/// The `ProcessRunner` of a step. It masks secrets and applies the step's deadline and cancellation to every child.
/// Limits of the action can only be stricter.
///
/// An action that passes another cancellation must derive it from the cancellation of its context.
final class StepProcesses: ProcessRunner {
    enum Stop {
        case timeout(Duration)
        case cancelled
    }

    private let base: any ProcessRunner
    private let mask: SecretMask
    private let limit: Deadline?
    private let grace: Duration
    private let cancellation: Cancellation
    private let firstStop: FirstStop

    /// The first reason for stopping a child, shared with the unmasked runner.
    private final class FirstStop: Sendable {
        let value = Mutex<Stop?>(nil)
    }

    convenience init(
        base: any ProcessRunner, mask: SecretMask, limit: Deadline?, grace: Duration, cancellation: Cancellation
    ) {
        self.init(base, mask, limit, grace, cancellation, FirstStop())
    }

    private init(
        _ base: any ProcessRunner, _ mask: SecretMask, _ limit: Deadline?, _ grace: Duration,
        _ cancellation: Cancellation, _ firstStop: FirstStop
    ) {
        self.base = base
        self.mask = mask
        self.limit = limit
        self.grace = grace
        self.cancellation = cancellation
        self.firstStop = firstStop
    }

    /// The runner without masking.
    var unmasked: StepProcesses {
        mask.isEmpty ? self : StepProcesses(base, SecretMask([:]), limit, grace, cancellation, firstStop)
    }

    /// The reason why `lane` stopped a child of this step, if it did.
    var stop: Stop? { firstStop.value.withLock { $0 } }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        var limits = limits
        limits.grace = min(limits.grace ?? grace, grace)
        limits.cancellation = limits.cancellation ?? cancellation
        if let limit {
            let left = limit.moment - Monotonic.now
            guard left > .zero else {
                record(.timeout(limit.length))
                return ExitReport(termination: .signalled(15), stoppedBy: .timeout, duration: .zero)
            }
            limits.timeout = min(limits.timeout ?? left, left)
        }
        let report = try runMasked(command, limits, output)
        switch report.stoppedBy {
        case .timeout: if let limit, Monotonic.now >= limit.moment { record(.timeout(limit.length)) }
        case .cancelled: if cancellation.isCancelled { record(.cancelled) }
        case nil: break
        }
        return report
    }

    private func runMasked(
        _ command: Command, _ limits: RunLimits, _ output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        guard !mask.isEmpty else { return try base.run(command, limits: limits, output: output) }
        var streams = MaskedStreams(mask)
        let report = try base.run(command, limits: limits) { source, bytes in
            streams.pass(bytes, from: source, to: output)
        }
        streams.finish(to: output)
        return report
    }

    private func record(_ stop: Stop) {
        firstStop.value.withLock { if $0 == nil { $0 = stop } }
    }
}
