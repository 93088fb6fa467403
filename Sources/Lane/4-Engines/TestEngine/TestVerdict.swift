package import Events
package import Text
package import ToolOutput

/// The result of a test run.
package struct TestVerdict: Sendable, Equatable {
    /// The exit status: passed, failed, build failed, nothing ran, crashed, timed out, or ended by a signal.
    package var status: ExitStatus
    /// The totals, or zero if no test ran.
    package var counts: TestCounts
    /// The reason for the status, if the tests do not explain it.
    package var reason: String?
    /// The coverage, if it was requested and measured.
    package var coverage: CoverageReport?
    /// A Boolean value that indicates whether the package contains no tests.
    package var hasNoTests = false

    package init(
        status: ExitStatus, counts: TestCounts = TestCounts(), reason: String? = nil, coverage: CoverageReport? = nil
    ) {
        self.status = status
        self.counts = counts
        self.reason = reason
        self.coverage = coverage
    }

    /// The status as an integer.
    package var rawValue: Int32 { status.rawValue }
}

extension TestEngine {
    /// Returns the verdict on the results of all tests. The most severe result determines the status.
    func verdict(_ counts: TestCounts, outside: OutsideFailure, _ stop: StopReason?) -> TestVerdict {
        switch stop {
        case .cancelled:
            var verdict = cancelled
            verdict.counts = counts
            return verdict
        case .runTimeout(let limit):
            return TestVerdict(
                status: .timedOut, counts: counts, reason: "the tests exceeded their time limit of \(limit.inWords)")
        case .firstFailure, nil: break
        }
        if counts.crashed > 0 || outside == .fault { return TestVerdict(status: .testCrashed, counts: counts) }
        if counts.unsuccessful > 0 || outside == .issue { return TestVerdict(status: .failed, counts: counts) }
        if options.attempts.flakyFails, counts.flaky > 0 {
            let reason = "\(count(counts.flaky, "test")) passed only when retried"
            return TestVerdict(status: .failed, counts: counts, reason: reason)
        }
        return TestVerdict(status: .done, counts: counts)
    }

    /// Returns the verdict with coverage. Changes a success to a failure if the coverage is below the threshold.
    func verdict(_ verdict: TestVerdict, with coverage: CoverageReport) -> TestVerdict {
        var verdict = verdict
        verdict.coverage = coverage
        let shortfall = options.coverageThreshold.flatMap { coverage.shortfall(below: $0) }
        if let shortfall, verdict.status == .done { (verdict.status, verdict.reason) = (.failed, shortfall) }
        return verdict
    }

    /// Returns the verdict on a run without tests.
    func verdict(_ emptiness: TestSelection.Emptiness) -> TestVerdict {
        let reason: String
        switch emptiness {
        case .noneFailed(others: 0):
            return TestVerdict(status: .done, reason: "nothing to do: no test failed in the last run")
        case .noneFailed(let others):
            return TestVerdict(
                status: .done,
                reason: "nothing to do: none of these tests failed in the last run; \(count(others, "other")) did")
        case .noneConcerned:
            return TestVerdict(status: .done, reason: "nothing to do: the changed files affect none of these tests")
        case .emptyShard(let shard):
            return TestVerdict(
                status: .done,
                reason: "shard \(shard.index) of \(shard.count) has no tests: there are more shards than tests")
        case .noTests:
            let entryPoint = package.testEntryPoint
            let hint = entryPoint.map {
                "\nhint: '\($0)' lists the tests; use '--arguments=\(SwiftPackage.discovery)' to ignore it"
            }
            var verdict = TestVerdict(status: .nothingRan, reason: "the package has no tests" + (hint ?? ""))
            verdict.hasNoTests = entryPoint == nil
            return verdict
        case .noneRecorded:
            reason = "no earlier run of these tests is recorded\nhint: run them without '--failed'"
        case .allSkipped(let patterns): reason = "--skip \(quoted(patterns)) excludes all tests"
        case .noMatch(let patterns, let nearest):
            let hint = nearest.isEmpty ? "'--list' lists the tests" : "did you mean \(quoted(nearest))?"
            reason = "no test matches \(quoted(patterns))\nhint: \(hint)"
        }
        return TestVerdict(status: .nothingRan, reason: reason)
    }

    /// Reports the basis of the shards. With different recorded durations on other machines, tests could run twice or
    /// never.
    func reportShard(_ shard: Shard, _ tests: Int) {
        let basis = durationsFingerprint.map { "by the recorded times \($0)" } ?? "by name"
        send(
            .message(
                Message(.note, "shard \(shard.index) of \(shard.count): \(count(tests, "test")), divided \(basis)")))
    }
}

private func quoted(_ words: [String]) -> String { list(words.map { "'\($0)'" }) }
