package import LaneEvents

/// Options for running a plan.
package struct RunOptions: Sendable {
    /// The part of a plan that is run.
    package enum Part: Sendable, Equatable {
        case all
        /// The steps that did not succeed in the lane's last run.
        case rest
        /// One step. Results that it needs come from the last run.
        case only(StepID)

        /// The ID of the only step.
        package var step: String? { if case .only(let id) = self { id.description } else { nil } }
    }

    /// The effect of a step's failure on other steps.
    package enum FailurePolicy: Sendable {
        /// Running steps continue, and no other begins.
        case stop
        /// Running steps are cancelled.
        case cancelOthers
        /// Every step that does not depend on the failed one still runs.
        case keepGoing
    }

    /// The greatest number of steps that run at once; at least 1.
    package var jobs: Int
    /// The policy for main steps; hooks run whatever failed.
    package var failurePolicy: FailurePolicy
    /// The time between asking a child to end and killing it; also all the time that hooks have after a cancellation.
    var grace: Duration
    /// A Boolean value that indicates whether the output of each step is kept in `.lane/logs`.
    package var keepsLogs: Bool
    /// A Boolean value that indicates whether `.lane` keeps the step cache, the journal and the history.
    package var keepsRecords: Bool
    /// The part to run; all but `all` need the records of an earlier run.
    package var part = Part.all
    /// A Boolean value that indicates whether steps that are up to date run as well.
    package var isForced = false
    /// A Boolean value that indicates whether steps with declared inputs report why they run.
    package var explains = false
    /// Returns the command that repeats a step.
    package var repeatCommand: @Sendable (StepID) -> String? = { _ in nil }
    /// Returns the command that repeats the failed tests of a step.
    package var repeatFailedCommand: @Sendable (StepID) -> String? = { _ in nil }
    /// The same for single tests of it, whose names follow.
    package var repeatTestsCommand: @Sendable (StepID) -> String? = { _ in nil }

    /// Creates options; `jobs` below 1 count as 1.
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
