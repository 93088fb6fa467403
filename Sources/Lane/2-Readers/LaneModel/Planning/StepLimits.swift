/// The time limit and the retries of a step, and the effect of its failure.
package struct StepLimits: Sendable {
    /// The time limit of each attempt. `nil` means that only the limit of the lane applies.
    package let timeout: Duration?
    /// The retries. `nil` means that the step runs once.
    package let retry: Retry?
    /// A Boolean value that indicates whether the run continues after a failure of the step.
    package let continuesOnError: Bool

    package init(timeout: Duration? = nil, retry: Retry? = nil, continuesOnError: Bool = false) {
        self.timeout = timeout
        self.retry = retry
        self.continuesOnError = continuesOnError
    }
}
