package import Expressions
package import LaneModel

/// The implementation of an action of lane files: `bump`, `test`, `tag`. The runner has a table of them and knows none by
/// name.
package protocol StepAction: Sendable {
    /// Runs the action in the caller's thread.
    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult

    /// Returns what the action would do, in one line, for `--plan` and the step's headline. Reads and changes nothing.
    func summary(of settings: Settings) -> String

    /// Returns what the action would do in the directory as it is now. Changes nothing, and starts only programs that
    /// change nothing.
    ///
    /// - Parameter earlier: The forecast outputs of earlier steps.
    func forecast(of settings: Settings, in context: StepContext, after earlier: [String: Value]) -> StepForecast

    /// Returns the command line of the action in a shell's syntax; `nil` when it does more than run one command.
    func command(of settings: Settings) -> String?

    /// A Boolean value that indicates whether the action reports tests, so that those that failed can be repeated.
    var reportsTests: Bool { get }

    /// A Boolean value that indicates whether the action leaves processes running until the lane ends. It has to run
    /// again whenever a step of the lane does.
    var leavesProcesses: Bool { get }
}

extension StepAction {
    package func command(of settings: Settings) -> String? { nil }

    package var reportsTests: Bool { false }

    package var leavesProcesses: Bool { false }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        StepForecast(summary(of: settings))
    }
}

/// The result of an action that succeeded.
package struct StepResult: Sendable, Equatable {
    /// The values of `${{ steps.<id>.<name> }}`.
    package var outputs: [String: Value]
    /// The reason why there was nothing to do, if that was so; the step counts as skipped.
    package var skipReason: String?

    package init(outputs: [String: Value] = [:], skipReason: String? = nil) {
        self.outputs = outputs
        self.skipReason = skipReason
    }
}

/// The forecast of a step: the work that it would do now.
package struct StepForecast: Sendable, Equatable {
    /// One line for a person.
    package let summary: String
    /// The outputs, as far as they are known without running the step.
    package let outputs: [String: Value]
    /// The reasons why it would be refused now, a line each.
    package let obstacles: [String]

    /// The warnings that it would print.
    package let notes: [String]

    package init(
        _ summary: String, outputs: [String: Value] = [:], obstacles: [String] = [], notes: [String] = []
    ) {
        self.summary = summary
        self.outputs = outputs
        self.obstacles = obstacles
        self.notes = notes
    }
}
