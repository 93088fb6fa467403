/// One expected stroke: the points a pen passes, joined by straight pieces.
///
/// A path of one point is a dot. A ``Curve`` becomes a path through
/// ``init(_:tolerance:)``.
public struct Path: Sendable, Hashable {
    /// In drawing order and in view units.
    public var points: [Point]

    /// A path through points, in drawing order.
    public init(points: [Point]) {
        self.points = points
    }

    /// The straight pieces in drawing order; a dot is one piece of no length.
    public var segments: [Segment] {
        guard let first = points.first else { return [] }
        guard points.count > 1 else { return [Segment(first, first)] }
        return zip(points, points.dropFirst()).map(Segment.init)
    }

    /// The length of the way along the path.
    public var length: Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    /// The path with every point moved by a map.
    public func transformed(by transform: Transform) -> Path {
        Path(points: points.map(transform.apply))
    }

    /// The same way, drawn from its end to its start.
    public func reversed() -> Path {
        Path(points: points.reversed())
    }

    /// The point at a distance along the way, counted from the start and limited to the path. Nil for an empty path.
    public func point(at distance: Double) -> Point? {
        var left = max(0, distance)
        for segment in segments {
            let length = segment.length
            if left <= length { return length > 0 ? segment.point(at: left / length) : segment.start }
            left -= length
        }
        return points.last
    }
}

extension Path: Codable {
    /// - Throws: `DecodingError` for what is not a list of points.
    public init(from decoder: any Decoder) throws {
        self.init(points: try decoder.singleValueContainer().decode([Point].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(points)
    }
}
