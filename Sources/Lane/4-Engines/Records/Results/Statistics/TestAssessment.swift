package import Events

/// The assessment of one test: flaky, broken or slower.
package struct TestAssessment: Sendable {
    package let series: TestSeries
    package let flakiness: Flakiness
    package let slowdown: Slowdown?

    package var test: TestID { series.test }
    package var isFlaky: Bool { flakiness.evidence != nil }
    package var isBroken: Bool { !flakiness.broken.isEmpty }

    /// Assesses a test. Compares only durations on machines of the same kind as the last machine.
    package init(_ series: TestSeries, in runs: [RecordedRun]) {
        self.series = series
        flakiness = Flakiness(of: series.trials)
        let machine = series.trials.last.map { runs[$0.run].machine }
        slowdown = Slowdown(
            in: series.trials.indices.compactMap { index in
                let trial = series.trials[index]
                guard runs[trial.run].machine == machine else { return nil }
                return trial.microseconds.map { (index, $0) }
            })
    }
}

/// The assessment of all tests of a history.
package struct HistoryAssessment: Sendable {
    package let runs: [RecordedRun]
    /// The tests in the order of their names.
    package let tests: [TestAssessment]
    /// The groups of tests that have failed in exactly the same runs, in at least three. Each group has two or more
    /// tests.
    package let groups: [[TestID]]

    /// The least number of common failures of a group. Two can be chance among hundreds of flaky tests.
    private static let leastFailures = 3

    package init(_ runs: [RecordedRun]) {
        self.runs = runs
        tests = TestSeries.all(in: runs).map { TestAssessment($0, in: runs) }
        var members: [[Int]: [TestID]] = [:]
        for test in tests {
            let failed = test.series.trials.filter { $0.failed > 0 }.map(\.run)
            // Tests that always fail are not a group.
            guard failed.count >= Self.leastFailures, failed.count < test.series.trials.count else { continue }
            members[failed, default: []].append(test.test)
        }
        groups = members.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    }

    /// The flaky tests, highest rate first.
    package var flaky: [TestAssessment] {
        tests.filter(\.isFlaky).sorted { ($0.flakiness.rate.value, $1.test) > ($1.flakiness.rate.value, $0.test) }
    }

    /// The tests that fail in the last runs, but not by chance.
    package var broken: [TestAssessment] { tests.filter(\.isBroken) }

    /// The tests with a slowdown, greatest difference first.
    package var slower: [TestAssessment] {
        tests.filter { $0.slowdown != nil }.sorted { Self.increase(of: $0) > Self.increase(of: $1) }
    }

    private static func increase(of test: TestAssessment) -> Int {
        test.slowdown.map { $0.after - $0.before } ?? 0
    }

    /// Returns the run of a test's trial.
    package func run(_ trial: Int, of test: TestAssessment) -> RecordedRun { runs[test.series.trials[trial].run] }
}
