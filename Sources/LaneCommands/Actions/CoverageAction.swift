import Expressions
import LaneModel
import LaneRun

/// The `coverage` action: runs the tests with coverage, and fails below a threshold.
struct CoverageAction: StepAction {
    func summary(of settings: Settings) -> String {
        let threshold = settings.integer("threshold").map { " and fails below \($0) %" } ?? ""
        return tests.summary(of: measuring(settings)) + ", reports the coverage of each file" + threshold
    }

    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        try tests.run(measuring(settings), in: context)
    }

    /// A closure that returns the time in seconds since 1970.
    let date: @Sendable () -> Double

    private var tests: TestAction { TestAction(overrides: [:], date: date) }

    /// Returns the settings for a `test` action.
    private func measuring(_ settings: Settings) -> Settings {
        var values = settings.values
        values["coverage-threshold"] = values.removeValue(forKey: "threshold")
        values["coverage"] = .bool(true)
        return Settings(values, span: settings.span)
    }
}
