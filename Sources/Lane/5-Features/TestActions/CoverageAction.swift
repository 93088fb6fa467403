package import Actions
import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// The `coverage` action: runs the tests with coverage, and fails below a threshold.
package struct CoverageAction: StepAction {
    /// A closure that returns the time in seconds since 1970.
    private let date: @Sendable () -> Double

    /// Creates the action.
    package init(date: @escaping @Sendable () -> Double) {
        self.date = date
    }

    package func summary(of settings: Settings) -> String {
        let limits = [
            settings.integer("threshold").map { "\($0) %" },
            settings.integer(ChangedCoverage.threshold).map { "\($0) % of the changed lines" },
        ].compactMap(\.self)
        let end = limits.isEmpty ? "" : " and fails below \(list(limits))"
        return tests.summary(of: measuring(settings)) + ", reports the coverage of each file" + end
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        try tests.run(measuring(settings), in: context)
    }

    private var tests: TestAction { TestAction(overrides: [:], date: date) }

    /// Returns the settings for a `test` action. Its names of the coverage settings have a prefix.
    private func measuring(_ settings: Settings) -> Settings {
        var values = settings.values
        for name in TestSetting.coverage {
            values["coverage-\(name)"] = values.removeValue(forKey: name)
        }
        values["coverage"] = .bool(true)
        return Settings(values, span: settings.span)
    }
}
