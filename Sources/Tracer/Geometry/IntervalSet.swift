/// A subset of 0...1 as disjoint intervals in ascending order; gaps up to the tolerance are closed.
struct IntervalSet: Sendable, Hashable {
    /// The largest gap between adjacent intervals that is taken for a rounding error.
    static let tolerance = 1e-9

    private(set) var intervals: [Interval] = []
    /// The sum of the lengths, 0...1.
    private(set) var measure = 0.0

    var isWhole: Bool { measure >= 1 - Self.tolerance }

    /// Adds an interval and returns the increase of the measure.
    @discardableResult
    mutating func insert(_ interval: Interval) -> Double {
        var merged = interval
        var first = intervals.startIndex
        while first < intervals.endIndex, intervals[first].high < merged.low - Self.tolerance { first += 1 }
        var last = first
        while last < intervals.endIndex, intervals[last].low <= merged.high + Self.tolerance {
            merged = merged.hull(intervals[last])
            last += 1
        }
        intervals.replaceSubrange(first..<last, with: CollectionOfOne(merged))
        let before = measure
        measure = min(1, intervals.reduce(0) { $0 + $1.high - $1.low })
        return max(0, measure - before)
    }
}
