/// The time limit and the retries of a step, and the effect of its failure.
package struct StepLimits: Sendable {
    /// The time limit of each attempt. `nil` means that only the limit of the lane applies.
    package let timeout: Duration?
    /// The retries. `nil` means that the step runs once.
    package let retry: Retry?
    /// A Boolean value that indicates whether the run continues as if a failed step had succeeded.
    package let continuesOnError: Bool

    package init(timeout: Duration? = nil, retry: Retry? = nil, continuesOnError: Bool = false) {
        self.timeout = timeout
        self.retry = retry
        self.continuesOnError = continuesOnError
    }
}

/// The conditions and the number of retries.
package struct Retry: Sendable, Equatable {
    /// The number of attempts after the first.
    package let times: Int
    /// The pause before the second attempt. It doubles for each further attempt.
    package let backoff: Duration
    /// The exit statuses that are retried. If empty, all failures are retried, including timeouts.
    package let statuses: [Int]

    package init(times: Int, backoff: Duration = .zero, statuses: [Int] = []) {
        self.times = times
        self.backoff = backoff
        self.statuses = statuses
    }
}
