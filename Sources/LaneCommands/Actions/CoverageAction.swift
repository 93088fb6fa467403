import LaneModel
import LaneRun

/// The `coverage` action: the test engine with measuring, and a threshold below which it fails.
struct CoverageAction: StepAction {
    /// Seconds since 1970, for reports.
    let date: @Sendable () -> Double

    func summary(of settings: Settings) -> String {
        let threshold = settings.integer("threshold").map { " and fails below \($0) %" } ?? ""
        return tests.summary(of: measuring(settings)) + ", tells which lines of each file they reach" + threshold
    }

    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        try tests.run(measuring(settings), in: context)
    }

    private var tests: TestAction { TestAction(overrides: [:], date: date) }

    /// The same as the settings of a `test` action.
    private func measuring(_ settings: Settings) -> Settings {
        var values = settings.values
        values["coverage-threshold"] = values.removeValue(forKey: "threshold")
        values["coverage"] = .bool(true)
        return Settings(values, span: settings.span)
    }
}
