import CLibrary

/// The classification of a test's failures: chance, or a defect since some commit.
///
/// A test is flaky if the same code has passed and failed: in the attempts of one run, or in two runs of one clean
/// commit on the same kind of machine. Without such evidence, two models of the results are compared. In the first,
/// each attempt fails by chance at a constant rate. In the second, the result depends only on the commit and changes
/// with few commits. The test is flaky if it has failed in two separate periods and the first model explains the
/// results better. A test that has always failed since some commit is broken. Its failures since then do not count as
/// evidence.
package struct Flakiness: Sendable, Equatable {
    /// The evidence of a flaky test.
    package enum Evidence: String, Sendable {
        /// The attempts of one run had different results.
        case retried
        /// Runs of one commit had different results.
        case sameCommit
        /// The result alternates more often than commits explain.
        case alternating
    }

    /// The evidence, or `nil` if the test is not flaky.
    package private(set) var evidence: Evidence?
    /// The share of failed attempts before the test broke.
    package private(set) var rate: FailureRate
    /// The last trials, if all of them failed and chance does not explain this. Empty for a test that passes.
    package private(set) var broken: Range<Int>
    /// The indices of the first and the last trial with a failure before the test broke.
    package private(set) var failures: ClosedRange<Int>?

    /// The share of commits at which a test starts or stops failing.
    private static let changeRate = 0.01
    /// The least logarithm of the likelihood ratio. Chance must be twenty times as likely.
    private static let leastLogRatio = 3.0
    /// The probability below which a streak of failures is not chance.
    private static let streakLimit = 0.001

    /// Classifies trials, which must be in order. Trials of modified checkouts count only if their own attempts differ.
    package init(of all: [TestSeries.Trial]) {
        let indices = all.indices.filter { !all[$0].isModified || all[$0].isMixed }
        let trials = indices.map { all[$0] }
        let streak = trials.reversed().prefix { $0.passed == 0 }.count
        var before = trials.dropLast(streak)
        if Self.isExplainedByChance(streak, after: before, in: trials) { before = trials[...] }
        rate = TestSeries.rate(of: before)
        broken =
            before.endIndex < trials.endIndex ? indices[before.endIndex]..<all.endIndex : all.endIndex..<all.endIndex
        guard let first = before.firstIndex(where: { $0.failed > 0 }),
            let last = before.lastIndex(where: { $0.failed > 0 })
        else { return }
        failures = indices[first]...indices[last]
        // A test that has not failed for a long time is no longer flaky. The lower limit of the rate is that of the
        // period with failures.
        let passes = before[(last + 1)...].reduce(0) { $0 + $1.passed }
        let least = TestSeries.rate(of: before[first...last]).interval.lowerBound
        if pow(1 - least, Double(passes)) >= Self.streakLimit { evidence = Self.evidence(in: before) }
    }

    /// Returns a Boolean value that indicates whether chance explains the failures at the end.
    private static func isExplainedByChance(
        _ streak: Int, after before: ArraySlice<TestSeries.Trial>, in trials: [TestSeries.Trial]
    ) -> Bool {
        var rate = TestSeries.rate(of: before).value
        // The first failures of a commit that has passed may be chance.
        if rate == 0, hasMixedCode(trials[...]) { rate = TestSeries.rate(of: trials[...]).value }
        return rate > 0 && pow(rate, Double(streak)) >= streakLimit
    }

    private static func evidence(in trials: ArraySlice<TestSeries.Trial>) -> Evidence? {
        if trials.contains(where: \.isMixed) { return .retried }
        if hasMixedCode(trials) { return .sameCommit }
        return alternates(trials) ? .alternating : nil
    }

    /// Returns a Boolean value that indicates whether the same code has passed and failed.
    private static func hasMixedCode(_ trials: ArraySlice<TestSeries.Trial>) -> Bool {
        var results: [Int: (failed: Bool, passed: Bool)] = [:]
        for trial in trials {
            let known = results[trial.code] ?? (false, false)
            let now = (known.failed || trial.failed > 0, known.passed || trial.passed > 0)
            if now.0 && now.1 { return true }
            results[trial.code] = now
        }
        return false
    }

    private static func alternates(_ trials: ArraySlice<TestSeries.Trial>) -> Bool {
        var (changes, boundaries, periods) = (0, 0, 0)
        var previous: TestSeries.Trial?
        for trial in trials {
            let (isFailing, wasFailing) = (trial.failed > 0, previous?.failed ?? 0 > 0)
            if isFailing, !wasFailing { periods += 1 }
            if let previous, trial.code != previous.code {
                boundaries += 1
                if isFailing != wasFailing { changes += 1 }
            }
            previous = trial
        }
        guard periods >= 2 else { return false }
        let byCommits = Double(changes) * log(changeRate) + Double(boundaries - changes) * log(1 - changeRate)
        return TestSeries.rate(of: trials).logLikelihood - byCommits > leastLogRatio
    }
}
