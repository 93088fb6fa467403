/// A subset of 0...1 as disjoint intervals in ascending order. Gaps up to the tolerance are closed.
struct IntervalSet: Sendable, Hashable {
    /// The largest gap between adjacent intervals that counts as a rounding error.
    static let tolerance = 1e-9

    private(set) var intervals: [Interval] = []
    /// The sum of the lengths, 0...1.
    private(set) var measure = 0.0

    var isWhole: Bool { measure >= 1 - Self.tolerance }

    init() {}

    /// Creates the union of intervals in any order.
    init(_ intervals: [Interval]) {
        self.intervals.reserveCapacity(intervals.count)
        // In ascending order, every interval is added at the end.
        for interval in Self.ordered(intervals) { insert(interval) }
    }

    /// Returns the intervals in ascending order of their lows, up to a tenth of the tolerance.
    private static func ordered(_ intervals: [Interval]) -> [Interval] {
        guard intervals.count > 2048 else { return intervals.sorted { $0.low < $1.low } }
        // Sorting by each of three digits takes linear time.
        var (ordered, next) = (intervals, intervals)
        for digit in 0..<3 {
            func value(_ interval: Interval) -> Int {
                Int(truncatingIfNeeded: UInt64(interval.low * (0x1p33 - 1)) >> UInt64(11 * digit)) & 2047
            }
            var positions = [Int](repeating: 0, count: 2049)
            for interval in ordered { positions[value(interval) + 1] += 1 }
            for index in 1...2048 { positions[index] += positions[index - 1] }
            for interval in ordered {
                next[positions[value(interval)]] = interval
                positions[value(interval)] += 1
            }
            swap(&ordered, &next)
        }
        return ordered
    }

    /// Adds an interval and returns the increase of the measure.
    @discardableResult
    mutating func insert(_ interval: Interval) -> Double {
        var merged = interval
        var replaced = 0.0
        let first = firstIndex(endingAtOrAfter: merged.low - Self.tolerance)
        var last = first
        while last < intervals.endIndex, intervals[last].low <= merged.high + Self.tolerance {
            merged = merged.hull(intervals[last])
            replaced += intervals[last].high - intervals[last].low
            last += 1
        }
        if first < intervals.endIndex {
            intervals.replaceSubrange(first..<last, with: CollectionOfOne(merged))
        } else {
            intervals.append(merged)
        }
        let length = merged.high - merged.low
        let before = measure
        // The measure of a single interval has no rounding error of a sum.
        measure = intervals.count == 1 ? length : min(1, measure + (length - replaced))
        return max(0, measure - before)
    }

    /// Returns the index of the first interval that ends at a value or after it, by bisection.
    private func firstIndex(endingAtOrAfter value: Double) -> Int {
        guard let last = intervals.last, last.high >= value else { return intervals.count }
        var (low, high) = (0, intervals.count)
        while low < high {
            let middle = (low + high) / 2
            if intervals[middle].high < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
