/// The time limit and the retries of a step, and the effect of its failure.
package struct StepLimits: Sendable {
    /// The time limit of each attempt. `nil` means that only the limit of the lane applies.
    package let timeout: Duration?
    /// The retries. `nil` means that the step runs once.
    package let retry: Retry?
    /// A Boolean value that indicates whether the run continues after a failure of the step.
    package let continuesOnError: Bool
    /// The time from the first signal to SIGKILL. `nil` means the default of the run.
    package let grace: Duration?

    package init(
        timeout: Duration? = nil, retry: Retry? = nil, continuesOnError: Bool = false, grace: Duration? = nil
    ) {
        self.grace = grace
        self.timeout = timeout
        self.retry = retry
        self.continuesOnError = continuesOnError
    }
}
