/// An expected stroke: points that are connected by straight segments.
///
/// A path of one point is a dot. ``init(_:tolerance:)`` converts a ``Curve`` to a path.
public struct TracePath: Sendable, Hashable {
    /// The points in drawing order, in view units.
    public var points: [TracePoint]

    /// Creates a path from its points in drawing order.
    public init(points: [TracePoint]) {
        self.points = points
    }

    /// The segments in drawing order. A dot has one segment of zero length.
    package var segments: [Segment] {
        guard points.count > 1 else { return points.map { Segment($0, $0) } }
        return (1..<points.count).map { Segment(points[$0 - 1], points[$0]) }
    }

    /// The length of the path.
    public var length: Double {
        guard points.count > 1 else { return 0 }
        return (1..<points.count).reduce(0) { $0 + points[$1 - 1].distance(to: points[$1]) }
    }

    /// Returns the path with every point transformed.
    package func transformed(by transform: TraceTransform) -> TracePath {
        TracePath(points: points.map(transform.apply))
    }

    /// Returns the path in the opposite direction.
    package func reversed() -> TracePath {
        TracePath(points: points.reversed())
    }

    /// Returns the point at a distance from the start along the path, or `nil` for an empty path. The distance is
    /// clamped to the length of the path.
    package func point(at distance: Double) -> TracePoint? {
        guard points.count > 1 else { return points.first }
        var remaining = max(0, distance)
        for index in 1..<points.count {
            let segment = Segment(points[index - 1], points[index])
            let length = segment.length
            if remaining <= length { return length > 0 ? segment.point(at: remaining / length) : segment.start }
            remaining -= length
        }
        return points.last
    }
}
