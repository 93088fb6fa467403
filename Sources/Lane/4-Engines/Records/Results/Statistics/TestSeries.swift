import Events

/// The results of one test in the runs that included it, oldest first.
package struct TestSeries: Sendable {
    /// The attempts at the test in one run.
    package struct Trial: Sendable, Equatable {
        /// The index of the run in the history.
        let run: Int
        /// A number that is equal for runs of the same commit on the same kind of machine. A run of a modified checkout
        /// or an unknown commit has a unique number.
        let code: Int
        /// A Boolean value that indicates whether the checkout had changes. Failures may then be due to unfinished
        /// work.
        let isModified: Bool
        package internal(set) var failed = 0
        package internal(set) var passed = 0

        /// A Boolean value that indicates whether attempts at the same code had different results.
        var isMixed: Bool { failed > 0 && passed > 0 }
    }

    let test: TestID
    package internal(set) var trials: [Trial] = []

    /// Returns the series of all tests, in the order of their names.
    static func all(in runs: [TestRunResults]) -> [TestSeries] {
        var codes: [String: Int] = [:]
        var positions: [TestID: Int] = [:]
        var series: [TestSeries] = []
        for (index, run) in runs.enumerated() {
            // Negative numbers are unique to a run.
            var code = -1 - index
            if let commit = run.origin.commit, !run.origin.isModified {
                code = codes["\(commit) \(run.origin.machine)", default: codes.count]
                codes["\(commit) \(run.origin.machine)"] = code
            }
            for result in run.results where result.outcome != .skipped {
                let position = positions[result.test] ?? series.count
                if position == series.count {
                    positions[result.test] = position
                    series.append(TestSeries(test: result.test))
                }
                if series[position].trials.last?.run != index {
                    series[position].trials.append(Trial(run: index, code: code, isModified: run.origin.isModified))
                }
                series[position].add(result)
            }
        }
        return series.sorted { $0.test < $1.test }
    }

    private mutating func add(_ result: AttemptResult) {
        let last = trials.count - 1
        if result.outcome.isFailure {
            trials[last].failed += 1
        } else {
            trials[last].passed += 1
        }
    }

    /// Returns the share of failed attempts, without the runs of modified checkouts.
    static func rate(of trials: ArraySlice<Trial>) -> FailureRate {
        let counted = trials.lazy.filter { !$0.isModified || $0.isMixed }
        return FailureRate(
            failed: counted.reduce(0) { $0 + $1.failed }, attempts: counted.reduce(0) { $0 + $1.failed + $1.passed })
    }
}
