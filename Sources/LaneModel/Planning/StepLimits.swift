/// How long and how often a step may try, and what it means when it fails at last.
package struct StepLimits: Sendable {
    /// For each attempt; `nil` leaves only the time of its lane.
    package let timeout: Duration?
    /// `nil` means that the first attempt is the last.
    package let retry: Retry?
    /// Whether the run goes on as if a failed step had passed.
    package let continuesOnError: Bool

    package init(timeout: Duration? = nil, retry: Retry? = nil, continuesOnError: Bool = false) {
        self.timeout = timeout
        self.retry = retry
        self.continuesOnError = continuesOnError
    }
}

/// How often and when a step is tried again.
package struct Retry: Sendable, Equatable {
    /// Further attempts after the first.
    package let times: Int
    /// Before the second attempt; doubled before each one after it.
    package let backoff: Duration
    /// Only these statuses are worth another attempt; empty means any, a timeout included.
    package let statuses: [Int]

    package init(times: Int, backoff: Duration = .zero, statuses: [Int] = []) {
        self.times = times
        self.backoff = backoff
        self.statuses = statuses
    }
}
