/// A straight line between two points, which may be the same.
package struct Segment: Sendable, Hashable {
    /// The start point, in view units.
    package var start: TracePoint
    /// The end point, in view units.
    package var end: TracePoint

    /// Creates a segment from its start and end.
    package init(_ start: TracePoint, _ end: TracePoint) {
        self.start = start
        self.end = end
    }

    var direction: TracePoint { end - start }

    /// Returns a Boolean value that indicates whether the segments have about opposite directions.
    func isOpposite(_ other: Segment) -> Bool { direction.dot(other.direction) < -0.9 * length * other.length }

    /// The length, in view units.
    package var length: Double { direction.length }

    /// Returns the point at a share of the length: the start for 0, the end for 1.
    package func point(at share: Double) -> TracePoint { start.interpolated(to: end, share) }

    /// Returns the share of the length at which the segment is nearest to a point, 0...1.
    package func nearestShare(to point: TracePoint) -> Double {
        let squared = direction.squaredLength
        guard squared > 0 else { return 0 }
        return min(max((point - start).dot(direction) / squared, 0), 1)
    }

    /// Returns the distance from a point to the nearest point of the segment, in view units.
    package func distance(to point: TracePoint) -> Double {
        self.point(at: nearestShare(to: point)).distance(to: point)
    }
}

/// A closed interval of shares of the length of a segment.
struct Interval: Sendable, Hashable {
    var low: Double
    var high: Double

    static let whole = Interval(low: 0, high: 1)

    /// Returns the intersection of two intervals, or `nil` if it is empty.
    func intersection(_ other: Interval) -> Interval? {
        let low = max(self.low, other.low)
        let high = min(self.high, other.high)
        return low <= high ? Interval(low: low, high: high) : nil
    }

    func hull(_ other: Interval?) -> Interval {
        guard let other else { return self }
        return Interval(low: min(low, other.low), high: max(high, other.high))
    }

    /// Returns the interval of shares for which `offset + share * slope` is within `range`.
    static func solving(_ offset: Double, _ slope: Double, within range: ClosedRange<Double>) -> Interval? {
        guard slope != 0 else { return range.contains(offset) ? .whole : nil }
        let a = (range.lowerBound - offset) / slope
        let b = (range.upperBound - offset) / slope
        return Interval(low: min(a, b), high: max(a, b))
    }
}

extension Segment {
    /// Returns the part of this segment within `radius` of another segment, or `nil` if there is none.
    ///
    /// The set of points within a distance of a segment is convex: a rectangle with a disc at each end. The
    /// intersection with a line is therefore one interval, the hull of the intersections with these three shapes.
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

    /// Returns the part of this segment within `radius` of a point, or `nil` if there is none.
    func part(within radius: Double, of center: TracePoint) -> Interval? {
        let offset = start - center
        let squared = direction.squaredLength
        guard squared > 0 else { return offset.squaredLength <= radius * radius ? .whole : nil }
        // Half the chord is computed from the distance of the line. The usual discriminant is the difference of two
        // large squares, which would lose precision.
        let cross = offset.cross(direction)
        let chord = radius * radius * squared - cross * cross
        guard chord >= 0 else { return nil }
        let middle = -offset.dot(direction) / squared
        let half = chord.squareRoot() / squared
        return Interval(low: middle - half, high: middle + half).intersection(.whole)
    }
}
