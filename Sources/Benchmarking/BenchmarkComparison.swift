/// The measurements of a package and of its base, run alternately, so that a load on the machine affects both.
package struct BenchmarkComparison: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        /// The whole interval is above the threshold.
        case slower
        /// The interval contains the threshold, so that chance can decide.
        case unclear
        case acceptable
    }

    /// The ratio of each measurement to that of the base in the same round.
    package let ratio: MedianInterval

    /// Creates a comparison of measurements in the order of the rounds. Returns `nil` if there are none, or if one of the
    /// base is 0.
    package init?(_ measurements: [Double], base: [Double]) {
        guard !base.contains(0), let ratio = MedianInterval(of: zip(measurements, base).map { $0 / $1 }) else {
            return nil
        }
        self.ratio = ratio
    }

    /// The median change in percent, positive if the package needs more than its base.
    package var percent: Double { (ratio.median - 1) * 100 }

    /// The confidence interval of the change in percent.
    package var interval: ClosedRange<Double> {
        (ratio.interval.lowerBound - 1) * 100...(ratio.interval.upperBound - 1) * 100
    }

    /// Returns the verdict.
    ///
    /// - Parameter threshold: The acceptable change in percent.
    package func verdict(threshold: Double) -> Verdict {
        if interval.lowerBound > threshold { return .slower }
        return interval.upperBound > threshold ? .unclear : .acceptable
    }
}
