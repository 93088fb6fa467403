/// How a plan is to be run.
package struct RunOptions: Sendable {
    /// What a step's failure means for the others.
    package enum FailurePolicy: Sendable {
        /// Steps that run may end, no other begins.
        case stop
        /// Steps that run are cancelled.
        case cancelOthers
        /// Whatever does not depend on the failed step is still done.
        case keepGoing
    }

    /// Steps at the same time, at least one.
    package var jobs: Int
    package var failurePolicy: FailurePolicy
    /// Between asking a child to end and making it; also all the time that hooks get after a cancellation.
    package var grace: Duration
    /// Whether every step's output is kept in a file of its own below `.lane/logs`.
    package var keepsLogs: Bool

    package init(
        jobs: Int, failurePolicy: FailurePolicy = .stop, grace: Duration = .seconds(5), keepsLogs: Bool = true
    ) {
        self.jobs = max(1, jobs)
        self.failurePolicy = failurePolicy
        self.grace = grace
        self.keepsLogs = keepsLogs
    }
}
