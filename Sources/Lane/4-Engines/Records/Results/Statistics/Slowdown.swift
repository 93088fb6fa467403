#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A lasting increase of a test's duration.
package struct Slowdown: Sendable, Equatable {
    /// The index of the first slower trial.
    package let trial: Int
    /// The median duration before the increase, in microseconds.
    package let before: Int
    /// The median duration since the increase, in microseconds.
    package let after: Int

    /// The ratio of the medians, greater than 1.
    package var factor: Double { Double(after) / Double(max(before, 1)) }

    /// The least number of durations on each side.
    private static let leastCount = 5
    private static let leastFactor = 1.3
    /// The least difference of the medians in microseconds. People do not notice smaller differences.
    private static let leastDifference = 10_000

    /// Finds the slowdown in durations, which must be in order. Returns `nil` if there is none.
    ///
    /// Divides the logarithms of the durations into two parts with the least sum of squared differences from their
    /// means. The division is a slowdown if the quartiles do not overlap, and the median has increased by a factor of
    /// 1.3 and by 10 ms.
    package init?(in durations: [(trial: Int, microseconds: Int)]) {
        guard durations.count >= 2 * Self.leastCount else { return nil }
        let logs = durations.map { log(Double(max($0.microseconds, 1))) }
        let total = logs.reduce(0, +)
        var (sum, best, start) = (0.0, -Double.infinity, 0)
        for position in 1...(logs.count - Self.leastCount) {
            sum += logs[position - 1]
            guard position >= Self.leastCount else { continue }
            // The sum of squares is least where the sum of n · mean² of both parts is greatest.
            let rest = total - sum
            let gain = sum * sum / Double(position) + rest * rest / Double(logs.count - position)
            if gain > best { (best, start) = (gain, position) }
        }
        let before = durations[..<start].map(\.microseconds).sorted()
        let after = durations[start...].map(\.microseconds).sorted()
        (trial, self.before, self.after) = (durations[start].trial, before[before.count / 2], after[after.count / 2])
        guard after[after.count / 4] > before[before.count * 3 / 4], factor >= Self.leastFactor,
            self.after - self.before >= Self.leastDifference
        else { return nil }
    }
}
