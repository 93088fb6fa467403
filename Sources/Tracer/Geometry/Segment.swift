/// A straight piece between two points; both may be the same.
public struct Segment: Sendable, Hashable {
    /// Where it begins, in view units.
    public var start: Point
    /// Where it ends, in view units.
    public var end: Point

    /// A segment by its two ends.
    public init(_ start: Point, _ end: Point) {
        self.start = start
        self.end = end
    }

    var direction: Point { end - start }

    /// The distance between the ends, in view units.
    public var length: Double { direction.length }

    /// The point a share of the way along: 0 is the start, 1 the end.
    public func point(at share: Double) -> Point { start.interpolated(to: end, share) }

    /// The share (0...1) of the way along at which the segment is nearest to a point.
    public func nearestShare(to point: Point) -> Double {
        let squared = direction.squaredLength
        guard squared > 0 else { return 0 }
        return min(max((point - start).dot(direction) / squared, 0), 1)
    }

    /// The distance from a point to the nearest point of the segment, in view units.
    public func distance(to point: Point) -> Double {
        self.point(at: nearestShare(to: point)).distance(to: point)
    }
}

/// A closed part of a segment, in shares of the way along it.
struct Interval: Sendable, Hashable {
    var low: Double
    var high: Double

    static let whole = Interval(low: 0, high: 1)

    /// The common part, nil if there is none.
    func intersection(_ other: Interval) -> Interval? {
        let low = max(self.low, other.low)
        let high = min(self.high, other.high)
        return low <= high ? Interval(low: low, high: high) : nil
    }

    func hull(_ other: Interval?) -> Interval {
        guard let other else { return self }
        return Interval(low: min(low, other.low), high: max(high, other.high))
    }

    /// Where `offset + share * slope` lies within `range`.
    static func solving(_ offset: Double, _ slope: Double, within range: ClosedRange<Double>) -> Interval? {
        guard slope != 0 else { return range.contains(offset) ? .whole : nil }
        let a = (range.lowerBound - offset) / slope
        let b = (range.upperBound - offset) / slope
        return Interval(low: min(a, b), high: max(a, b))
    }
}

extension Segment {
    /// The part of this segment that lies within `radius` of another one, ends included.
    ///
    /// Everything within a distance of a segment is convex (a rectangle with a disc at each end), so what a straight
    /// line has in common with it is one interval: the hull of its intervals with the three.
    func part(within radius: Double, of other: Segment) -> Interval? {
        var found = part(within: radius, of: other.start)
        if other.start != other.end, let disc = part(within: radius, of: other.end) { found = disc.hull(found) }
        let along = other.direction
        let squared = along.squaredLength
        guard squared > 0 else { return found }
        let offset = start - other.start
        let reach = radius * squared.squareRoot()
        if let between = Interval.solving(offset.dot(along), direction.dot(along), within: 0...squared),
            let beside = Interval.solving(offset.cross(along), direction.cross(along), within: -reach...reach),
            let both = between.intersection(beside)?.intersection(.whole)
        {
            found = both.hull(found)
        }
        return found
    }

    /// The part of this segment that lies within `radius` of a point.
    func part(within radius: Double, of center: Point) -> Interval? {
        let offset = start - center
        let squared = direction.squaredLength
        guard squared > 0 else { return offset.squaredLength <= radius * radius ? .whole : nil }
        // Half the chord that the disc cuts from the line, from the line's distance rather than from the usual
        // discriminant: a difference of two large squares there would lose the digits that decide.
        let cross = offset.cross(direction)
        let chord = radius * radius * squared - cross * cross
        guard chord >= 0 else { return nil }
        let middle = -offset.dot(direction) / squared
        let half = chord.squareRoot() / squared
        return Interval(low: middle - half, high: middle + half).intersection(.whole)
    }
}
