package import LaneModel

/// Does what one word of lane files says: `bump`, `test`, `tag`. The runner has a table of these and knows none of them.
package protocol StepAction: Sendable {
    /// Does it, in the caller's thread, and returns when it is done. Throws `StepFailure` when it could not.
    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult

    /// What it would do, in one line, for `--plan` and the step's headline; reads nothing and changes nothing.
    func summary(of settings: Settings) -> String

    /// The same for a plan, with what the folder tells of it now; reads, and starts only programs that read.
    ///
    /// - Parameter earlier: What the steps before it would tell.
    func forecast(of settings: Settings, in context: StepContext, after earlier: [String: Value]) -> StepForecast

    /// The command line that it will run, as a person would type it; `nil` when it is more than that.
    func command(of settings: Settings) -> String?
}

extension StepAction {
    package func command(of settings: Settings) -> String? { nil }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        StepForecast(summary(of: settings))
    }
}

/// What an action has to tell later steps.
package struct StepResult: Sendable, Equatable {
    /// For `${{ steps.<id>.<name> }}`.
    package var outputs: [String: Value]
    /// Set when there was nothing to do, and why; the step counts as skipped.
    package var skipReason: String?

    package init(outputs: [String: Value] = [:], skipReason: String? = nil) {
        self.outputs = outputs
        self.skipReason = skipReason
    }
}
