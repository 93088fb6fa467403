import OperatingSystem

/// A `ProcessRunner` that ends its children after a timeout and on cancellation.
struct BoundedRunner: ProcessRunner {
    private let base: any ProcessRunner
    private let bounds: RunLimits

    init(_ base: any ProcessRunner, timeout: Duration, cancellation: Cancellation) {
        self.base = base
        bounds = RunLimits(timeout: timeout, cancellation: cancellation)
    }

    package func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        var limits = limits
        limits.timeout = limits.timeout ?? bounds.timeout
        limits.cancellation = limits.cancellation ?? bounds.cancellation
        return try base.run(command, limits: limits, output: output)
    }
}
