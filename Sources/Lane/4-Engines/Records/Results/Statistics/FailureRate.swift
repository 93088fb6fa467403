import CLibrary

/// The share of failed attempts, with a confidence interval.
package struct FailureRate: Sendable, Equatable {
    package let failed: Int
    let attempts: Int

    /// The share, 0...1. It is 0 if there are no attempts.
    package var value: Double { attempts == 0 ? 0 : Double(failed) / Double(attempts) }

    /// The 95% score interval of a binomial proportion, which is also valid for few attempts and rates near 0.
    ///
    /// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    /// American Statistical Association 22 (1927), pages 209–212.
    package var interval: ClosedRange<Double> {
        guard attempts > 0 else { return 0...1 }
        let quantile = 1.959964
        let count = Double(attempts)
        let square = quantile * quantile
        let center = (value + square / (2 * count)) / (1 + square / count)
        let half =
            quantile / (1 + square / count) * (value * (1 - value) / count + square / (4 * count * count)).squareRoot()
        // Rounding must not exclude the rate itself.
        return (failed == 0 ? 0 : max(0, center - half))...(failed == attempts ? 1 : min(1, center + half))
    }
}

extension FailureRate {
    /// The logarithm of the probability of these failures in their order, log B(failed + 1, passed + 1). The model is
    /// that each attempt fails independently with one unknown rate, and all rates are equally likely.
    var logLikelihood: Double {
        lgamma(Double(failed + 1)) + lgamma(Double(attempts - failed + 1)) - lgamma(Double(attempts + 2))
    }
}
