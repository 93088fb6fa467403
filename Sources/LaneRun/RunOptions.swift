package import LaneEvents

/// How a plan is to be run.
package struct RunOptions: Sendable {
    /// Which of the plan's steps are done.
    package enum Part: Sendable, Equatable {
        case all
        /// Those that the lane's last run did not bring to a good end.
        case rest
        /// One by its id; what it needs of others' results is taken from the last run.
        case only(StepID)
    }

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
    /// Holds for main steps; hooks run whatever failed.
    package var failurePolicy: FailurePolicy
    /// Between asking a child to end and making it; also all the time that hooks get after a cancellation.
    var grace: Duration
    /// Whether every step's output is kept in a file of its own below `.lane/logs`.
    package var keepsLogs: Bool
    /// Whether `.lane` gets what later runs need: what is up to date, what was done, the history.
    package var keepsRecords: Bool
    /// Anything but `all` needs the records of an earlier run.
    package var part = Part.all
    /// Whether steps run that are up to date.
    package var isForced = false
    /// Whether steps with declared inputs say why they run.
    package var explains = false
    /// The command with which a person repeats one step.
    package var repeatCommand: @Sendable (StepID) -> String? = { _ in nil }
    /// The same for the tests that failed in it.
    package var repeatFailedCommand: @Sendable (StepID) -> String? = { _ in nil }

    package init(
        jobs: Int, failurePolicy: FailurePolicy = .stop, grace: Duration = .seconds(5), keepsLogs: Bool = true,
        keepsRecords: Bool = true
    ) {
        self.jobs = max(1, jobs)
        self.failurePolicy = failurePolicy
        self.grace = grace
        self.keepsLogs = keepsLogs
        self.keepsRecords = keepsRecords
    }
}
