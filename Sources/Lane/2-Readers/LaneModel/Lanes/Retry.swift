/// The conditions and the number of retries.
package struct Retry: Sendable, Equatable {
    /// The number of attempts after the first.
    package let times: Int
    /// The delay before the second attempt. It doubles for each further attempt.
    package let backoff: Duration
    /// The exit statuses that are retried. If empty, all failures are retried, including timeouts.
    package let statuses: [Int]

    package init(times: Int, backoff: Duration = .zero, statuses: [Int] = []) {
        self.times = times
        self.backoff = backoff
        self.statuses = statuses
    }
}
