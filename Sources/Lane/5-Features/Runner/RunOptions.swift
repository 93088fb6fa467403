package import Events

/// Options for running a plan.
package struct RunOptions: Sendable {
    /// The part of a plan that is run.
    package enum Part: Sendable, Equatable {
        case all
        /// The steps that have not succeeded in the lane's last run.
        case rest
        /// One step. The last run provides the results that it reads.
        case only(StepID)

        /// The ID of the only step.
        package var step: String? { if case .only(let id) = self { id.description } else { nil } }
    }

    /// The effect of a step's failure on other steps.
    package enum FailurePolicy: Sendable {
        /// Running steps continue, and no further step starts.
        case stop
        /// Running steps are cancelled.
        case cancelOthers
        /// All steps that do not depend on the failed step run.
        case keepGoing
    }

    /// The maximum number of steps that run at the same time, at least 1.
    package var jobs: Int
    /// The policy for main steps. Hooks run regardless of failures.
    package var failurePolicy: FailurePolicy
    /// The time from SIGTERM to SIGKILL for a child process, and the time limit of all hooks after a cancellation.
    var grace: Duration
    /// A Boolean value that indicates whether the output of each step is written to `.lane/logs`.
    package var keepsLogs: Bool
    /// The part to run. Any part except `all` requires the records of an earlier run.
    package var part = Part.all
    /// A Boolean value that indicates whether up-to-date steps run as well.
    package var isForced = false
    /// A Boolean value that indicates whether steps with declared inputs report why they run.
    package var explains = false
    /// A closure that returns the command to run a step again.
    package var repeatCommand: @Sendable (StepID) -> String? = { _ in nil }
    /// A closure that returns the command to run the failed tests of a step again.
    package var repeatFailedCommand: @Sendable (StepID) -> String? = { _ in nil }
    /// A closure that returns the command to run some tests of a step. The caller appends their names.
    package var repeatTestsCommand: @Sendable (StepID) -> String? = { _ in nil }

    /// Creates options. Values of `jobs` below 1 count as 1.
    package init(
        jobs: Int, failurePolicy: FailurePolicy = .stop, grace: Duration = .seconds(5), keepsLogs: Bool = true
    ) {
        self.jobs = max(1, jobs)
        self.failurePolicy = failurePolicy
        self.grace = grace
        self.keepsLogs = keepsLogs
    }
}
