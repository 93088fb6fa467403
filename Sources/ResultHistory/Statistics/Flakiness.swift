#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The judgment on a test's failures: chance, or a defect since some commit.
///
/// A test is flaky if the same code has passed and failed: in the attempts of one run, or in two runs of one clean commit
/// on the same kind of machine. Without such evidence, two explanations of the results are compared: each attempt fails
/// by chance at a constant rate, or the result depends only on the commit and changes with few commits. The test is
/// flaky if it has failed in two separate periods and chance explains the results better. A test that fails always since
/// some commit is broken; this part does not count as evidence.
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
    /// The trials at the end that all failed, if chance does not explain them. Empty for a test that passes.
    package private(set) var broken: Range<Int>
    /// The index of the first and of the last trial with a failure before the test broke.
    package private(set) var failures: ClosedRange<Int>?

    /// The share of commits at which a test starts or stops to fail.
    private static let changeRate = 0.01
    /// The least logarithm of the ratio of the likelihoods: chance is twenty times as likely.
    private static let leastLogRatio = 3.0
    /// The probability below which a streak is not chance.
    private static let streakLimit = 0.001

    /// Judges trials that are in order. Those of modified checkouts count only if their own attempts differ.
    package init(of all: [TestSeries.Trial]) {
        let indices = all.indices.filter { !all[$0].isModified || all[$0].isMixed }
        let trials = indices.map { all[$0] }
        let streak = trials.reversed().prefix { $0.passed == 0 }.count
        var before = trials.dropLast(streak)
        if Self.isChance(streak, after: before, in: trials) { before = trials[...] }
        rate = TestSeries.rate(of: before)
        broken =
            before.endIndex < trials.endIndex ? indices[before.endIndex]..<all.endIndex : all.endIndex..<all.endIndex
        guard let first = before.firstIndex(where: { $0.failed > 0 }),
            let last = before.lastIndex(where: { $0.failed > 0 })
        else { return }
        failures = indices[first]...indices[last]
        // A test that has not failed for long is no longer flaky. The lower limit of the rate is that of the time when it
        // failed.
        let passes = before[(last + 1)...].reduce(0) { $0 + $1.passed }
        let least = TestSeries.rate(of: before[first...last]).interval.lowerBound
        if pow(1 - least, Double(passes)) >= Self.streakLimit { evidence = Self.evidence(in: before) }
    }

    /// Returns a Boolean value that indicates whether chance explains the failures at the end.
    private static func isChance(
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
