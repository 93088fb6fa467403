#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The lasting increase of a test's duration at some run.
package struct Slowdown: Sendable, Equatable {
    /// The index of the first slower trial.
    package let trial: Int
    /// The median duration before, in microseconds.
    package let before: Int
    /// The median duration since then, in microseconds.
    package let after: Int

    /// The ratio of the medians, above 1.
    package var factor: Double { Double(after) / Double(max(before, 1)) }

    /// The least number of durations on each side.
    private static let leastCount = 5
    private static let leastFactor = 1.3
    /// The least difference of the medians in microseconds. Shorter ones do not matter to a person.
    private static let leastDifference = 10_000

    /// Finds the slowdown in durations that are in order, each with the index of its trial.
    ///
    /// The position is the one that divides the logarithms into two parts with the least sum of squared differences from
    /// their means. It is a slowdown if the quartiles do not overlap, and the median has increased by a factor of 1.3 and
    /// by 10 ms.
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
