#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The number of attempts after which a flaky test has a verdict on a commit.
package enum SamplingPlan: Sendable, Equatable {
    /// The test fails by chance at good commits and always at bad ones: it is good if it passes once, and bad if it fails
    /// this many times in a row.
    case untilPass(attempts: Int)
    /// The test passes always at good commits and fails by chance at bad ones: it is bad if it fails once, and good if it
    /// passes this many times in a row.
    case untilFailure(attempts: Int)

    /// The plan for a test that is not flaky: one attempt decides.
    package static let once = SamplingPlan.untilFailure(attempts: 1)

    /// The maximum chance that the result of a search is wrong because of a flaky test.
    package static let errorBound = 0.01

    /// The maximum number of attempts.
    package var attempts: Int {
        switch self {
        case .untilPass(let attempts), .untilFailure(let attempts): attempts
        }
    }

    /// Returns the plan for a test that fails by chance at good commits.
    ///
    /// - Parameters:
    ///   - rate: The highest plausible rate of failures by chance.
    ///   - verdicts: The number of verdicts in the search, times the number of tests, which share the bound.
    ///   - maximum: The highest possible number of attempts.
    package static func failingByChance(rate: Double, verdicts: Int, maximum: Int = .max) -> SamplingPlan {
        let attempts = attempts(until: rate, below: errorBound / Double(max(1, verdicts)), maximum: maximum)
        return .untilPass(attempts: attempts)
    }

    /// Returns the plan for a test that fails by chance at bad commits.
    ///
    /// - Parameter rate: The lowest plausible rate of failures at bad commits.
    package static func passingByChance(rate: Double, verdicts: Int, maximum: Int = .max) -> SamplingPlan {
        let attempts = attempts(until: 1 - rate, below: errorBound / Double(max(1, verdicts)), maximum: maximum)
        return .untilFailure(attempts: attempts)
    }

    /// Returns the chance that one of several verdicts is wrong, at most 1.
    ///
    /// - Parameter rate: The rate with which the plan was made.
    package func errorChance(rate: Double, verdicts: Int) -> Double {
        switch self {
        case .untilPass(let attempts): min(1, pow(rate, Double(attempts)) * Double(verdicts))
        case .untilFailure(let attempts): min(1, pow(1 - rate, Double(attempts)) * Double(verdicts))
        }
    }

    /// Returns the least number of independent events of a probability that are together less likely than a limit.
    private static func attempts(until probability: Double, below limit: Double, maximum: Int) -> Int {
        guard probability > 0 else { return 1 }
        guard probability < 1 else { return maximum }
        let count = (log(limit) / log(probability)).rounded(.up)
        return count < Double(maximum) ? max(1, Int(count)) : maximum
    }
}
