/// The median of measurements, with a confidence interval that makes no assumption about their distribution.
package struct MedianInterval: Sendable, Equatable {
    package let median: Double
    /// The range that contains the median of all possible measurements with a probability of `level`.
    package let interval: ClosedRange<Double>
    /// The exact probability, at least 0.95 if there are six measurements or more.
    package let level: Double
    package let count: Int

    private static let leastLevel = 0.95

    /// Computes the median. Returns `nil` without measurements.
    ///
    /// The limits are the measurements that are the same number of ranks from both ends; the number of measurements below
    /// the true median has a binomial distribution.
    package init?(of measurements: [Double]) {
        guard !measurements.isEmpty else { return nil }
        let sorted = measurements.sorted()
        count = sorted.count
        median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
        var rank = 0
        var level = Self.level(count: count, rank: 0)
        while 2 * (rank + 1) < count, case let next = Self.level(count: count, rank: rank + 1), next >= Self.leastLevel
        {
            rank += 1
            level = next
        }
        self.level = level
        interval = sorted[rank]...sorted[count - 1 - rank]
    }

    /// Returns the probability that the median is between two measurements, each `rank` ranks from its end.
    private static func level(count: Int, rank: Int) -> Double {
        var probability = 1.0
        for _ in 0..<count { probability /= 2 }
        var tail = 0.0
        for below in 0...rank {
            tail += probability
            probability *= Double(count - below) / Double(below + 1)
        }
        return 1 - 2 * tail
    }
}
