import Events

/// The assessment of one test: flaky or broken.
package struct TestAssessment: Sendable {
    package let series: TestSeries
    package let flakiness: Flakiness

    var test: TestID { series.test }
    var isFlaky: Bool { flakiness.evidence != nil }
    var isBroken: Bool { !flakiness.broken.isEmpty }

    init(_ series: TestSeries) {
        self.series = series
        flakiness = Flakiness(of: series.trials)
    }
}

/// The assessment of all tests of a history.
package struct HistoryAssessment: Sendable {
    let runs: [TestRunResults]
    /// The tests in the order of their names.
    package let tests: [TestAssessment]

    package init(_ runs: [TestRunResults]) {
        self.runs = runs
        tests = TestSeries.all(in: runs).map { TestAssessment($0) }
    }

    /// The flaky tests, highest rate first.
    var flaky: [TestAssessment] {
        tests.filter(\.isFlaky).sorted { ($0.flakiness.rate.value, $1.test) > ($1.flakiness.rate.value, $0.test) }
    }

    /// The tests that fail in the last runs, but not by chance.
    var broken: [TestAssessment] { tests.filter(\.isBroken) }

    /// Returns the run of a test's trial.
    func run(_ trial: Int, of test: TestAssessment) -> TestRunResults { runs[test.series.trials[trial].run] }
}
