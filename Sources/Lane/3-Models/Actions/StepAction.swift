package import Expressions
package import LaneModel
package import OperatingSystem

/// The implementation of an action in lane files, such as `bump` or `tag`. The runner finds actions by name in a table.
package protocol StepAction: Sendable {
    /// Runs the action on the calling thread.
    func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult

    /// Returns a one-line description of the action for `--plan` and for the start of the step. Must not read files or
    /// change anything.
    func summary(of settings: Settings) -> String

    /// Returns a forecast of the action in the current state of the directory. Must not change anything or start a
    /// program that does.
    ///
    /// - Parameter earlier: The forecast outputs of earlier steps.
    func forecast(of settings: Settings, in context: StepContext, after earlier: [String: Value]) -> StepForecast

    /// Returns the command line of the action in shell syntax, or `nil` if the action does more than run one command.
    ///
    /// - Parameter directory: The directory of the step.
    func command(of settings: Settings, in directory: String) -> String?

    /// Returns the settings of a step together with those of the command line. All of them decide whether the step is up
    /// to date.
    func merged(_ settings: Settings) -> Settings

    /// A Boolean value that indicates whether the action reports tests. Failed tests of such a step can be run again.
    var reportsTests: Bool { get }

    /// A Boolean value that indicates whether the action leaves processes running until the lane ends. Such a step runs
    /// again whenever a step of the lane runs.
    var leavesProcesses: Bool { get }
}

/// An action of the program. Other actions are executables, which describe themselves.
package protocol BuiltInStepAction: StepAction {
    /// The name, settings and outputs of the action.
    static var schema: ActionSchema { get }
}

extension StepAction {
    package func command(of settings: Settings, in directory: String) -> String? { nil }

    package func merged(_ settings: Settings) -> Settings { settings }

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
    /// The outputs by name, for `${{ steps.<id>.<name> }}`.
    package var outputs: [String: Value]
    /// The reason why the action had nothing to do, or `nil` if it did something. A step with a reason counts as
    /// skipped.
    package var skipReason: String?

    package init(outputs: [String: Value] = [:], skipReason: String? = nil) {
        self.outputs = outputs
        self.skipReason = skipReason
    }
}

/// A forecast of a step: its effect in the current state.
package struct StepForecast: Sendable, Equatable {
    /// A one-line description for the user.
    package let summary: String
    /// The outputs that are known without running the step.
    package let outputs: [String: Value]
    /// The reasons why the step would fail now, each in one line.
    package let obstacles: [String]
    /// The warnings that the step would print.
    package let notes: [String]
    /// The checks, edits, files and requests of the step, in order.
    package let details: [ForecastDetail]

    package init(
        _ summary: String, outputs: [String: Value] = [:], obstacles: [String] = [], notes: [String] = [],
        details: [ForecastDetail] = []
    ) {
        self.summary = summary
        self.details = details
        self.outputs = outputs
        self.obstacles = obstacles
        self.notes = notes
    }
}

/// A detail of a forecast.
package enum ForecastDetail: Sendable, Equatable {
    /// A requirement that the step checks.
    case check(String)
    /// A change of a file, in the format of `diff -u`.
    case edit(file: String, difference: String)
    /// A file that the step created the last time, with its size in bytes.
    case file(path: String, size: Int)
    /// A request to a server, or a command that sends something to one.
    case request(String)
}
