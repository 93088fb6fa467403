/// Parts of 0...1 as disjoint intervals in order; gaps below the tolerance are closed.
struct IntervalSet: Sendable, Hashable {
    /// Touching intervals that were computed from different circles miss each other by rounding errors only.
    static let tolerance = 1e-9

    private(set) var intervals: [Interval] = []
    /// The sum of the lengths, 0...1.
    private(set) var measure = 0.0

    var isWhole: Bool { measure >= 1 - Self.tolerance }

    /// Adds an interval and says by how much the measure grew.
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
