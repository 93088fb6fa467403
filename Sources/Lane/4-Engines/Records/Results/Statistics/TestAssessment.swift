package import Events

/// The assessment of one test: flaky or broken.
package struct TestAssessment: Sendable {
    package let series: TestSeries
    package let flakiness: Flakiness

    package var test: TestID { series.test }
    package var isFlaky: Bool { flakiness.evidence != nil }
    package var isBroken: Bool { !flakiness.broken.isEmpty }

    package init(_ series: TestSeries) {
        self.series = series
        flakiness = Flakiness(of: series.trials)
    }
}

/// The assessment of all tests of a history.
package struct HistoryAssessment: Sendable {
    package let runs: [RecordedRun]
    /// The tests in the order of their names.
    package let tests: [TestAssessment]

    package init(_ runs: [RecordedRun]) {
        self.runs = runs
        tests = TestSeries.all(in: runs).map { TestAssessment($0) }
    }

    /// The flaky tests, highest rate first.
    package var flaky: [TestAssessment] {
        tests.filter(\.isFlaky).sorted { ($0.flakiness.rate.value, $1.test) > ($1.flakiness.rate.value, $0.test) }
    }

    /// The tests that fail in the last runs, but not by chance.
    package var broken: [TestAssessment] { tests.filter(\.isBroken) }

    /// Returns the run of a test's trial.
    package func run(_ trial: Int, of test: TestAssessment) -> RecordedRun { runs[test.series.trials[trial].run] }
}
