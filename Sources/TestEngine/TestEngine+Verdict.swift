import Diagnostics
import LaneEvents

extension TestEngine {
    /// What the ends of all tests come to: the gravest of them gives the status.
    func verdict(_ counts: TestCounts, outside: OutsideOfTests, _ stop: StopReason?) -> TestVerdict {
        switch stop {
        case .cancelled:
            var verdict = cancelled
            verdict.counts = counts
            return verdict
        case .runTimeout(let limit):
            return TestVerdict(status: .timedOut, counts: counts, reason: "the tests took longer than \(limit.inWords)")
        case .firstFailure, nil: break
        }
        if counts.crashed > 0 || outside == .fault { return TestVerdict(status: .testCrashed, counts: counts) }
        if counts.unsuccessful > 0 || outside == .issue { return TestVerdict(status: .failed, counts: counts) }
        if options.attempts.flakyFails, counts.flaky > 0 {
            let reason = "\(count(counts.flaky, "test")) passed only when tried again"
            return TestVerdict(status: .failed, counts: counts, reason: reason)
        }
        return TestVerdict(status: .done, counts: counts)
    }

    /// The same with what the tests reached, which fails a run that is green otherwise when it is too little.
    func verdict(_ verdict: TestVerdict, with coverage: CoverageReport) -> TestVerdict {
        var verdict = verdict
        verdict.coverage = coverage
        if let threshold = options.coverageThreshold, coverage.percent < threshold, verdict.status == .done {
            verdict.status = .failed
            let share = CoverageReport.percentText(coverage.percent)
            verdict.reason = "the tests reach \(share) of the lines, less than \(CoverageReport.percentText(threshold))"
        }
        return verdict
    }

    /// What to say when there is no test to run.
    func verdict(_ emptiness: TestSelection.Emptiness) -> TestVerdict {
        let reason: String
        switch emptiness {
        case .noneFailed(others: 0):
            return TestVerdict(status: .done, reason: "nothing to do: no test failed when it was last run")
        case .noneFailed(let others):
            return TestVerdict(
                status: .done,
                reason: "nothing to do: none of these tests failed when it was last run; \(count(others, "other")) did")
        case .emptyShard(let shard):
            return TestVerdict(
                status: .done,
                reason: "shard \(shard.index) of \(shard.count) has no tests: there are fewer than shards")
        case .noTests:
            let entryPoint = package.testEntryPoint
            let hint = entryPoint.map {
                "\nhint: '\($0)' says which there are; '--arguments=\(SwiftPackage.discovery)' finds them without it"
            }
            var verdict = TestVerdict(status: .nothingRan, reason: "the package has no tests" + (hint ?? ""))
            verdict.hasNoTests = entryPoint == nil
            return verdict
        case .noneRecorded:
            reason = "no earlier run of these tests is recorded here\nhint: run them without '--failed'"
        case .allSkipped(let patterns): reason = "--skip \(quoted(patterns)) leaves no test"
        case .noMatch(let patterns, let nearest):
            let hint = nearest.isEmpty ? "" : "\nhint: did you mean \(quoted(nearest))?"
            reason = "no test matches \(quoted(patterns))\(hint)"
        }
        return TestVerdict(status: .nothingRan, reason: reason)
    }

    /// Machines that share a run must know the same times, or tests would be run twice or by nobody.
    func tellOf(_ shard: Shard, _ tests: Int) {
        let basis = history.map { "by the recorded times \($0.fingerprint)" } ?? "by name"
        send(
            .message(
                Message(.note, "shard \(shard.index) of \(shard.count): \(count(tests, "test")), divided \(basis)")))
    }
}

private func quoted(_ words: [String]) -> String { list(words.map { "'\($0)'" }) }
