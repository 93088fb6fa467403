/// An expected stroke: points that are connected by straight segments.
///
/// A path of one point is a dot. ``init(_:tolerance:)`` converts a ``Curve`` to a path.
public struct Path: Sendable, Hashable {
    /// The points in drawing order, in view units.
    public var points: [Point]

    /// Creates a path from its points in drawing order.
    public init(points: [Point]) {
        self.points = points
    }

    /// The segments in drawing order; a dot has one segment of zero length.
    public var segments: [Segment] {
        guard let first = points.first else { return [] }
        guard points.count > 1 else { return [Segment(first, first)] }
        return zip(points, points.dropFirst()).map(Segment.init)
    }

    /// The length of the path.
    public var length: Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    /// Returns the path with every point transformed.
    public func transformed(by transform: Transform) -> Path {
        Path(points: points.map(transform.apply))
    }

    /// Returns the path in the opposite direction.
    public func reversed() -> Path {
        Path(points: points.reversed())
    }

    /// Returns the point at a distance from the start along the path, which is clamped to the path; `nil` for an empty
    /// path.
    public func point(at distance: Double) -> Point? {
        var remaining = max(0, distance)
        for segment in segments {
            let length = segment.length
            if remaining <= length { return length > 0 ? segment.point(at: remaining / length) : segment.start }
            remaining -= length
        }
        return points.last
    }
}

#if !hasFeature(Embedded)
    extension Path: Codable {
        /// - Throws: `DecodingError` for anything but a list of points.
        public init(from decoder: any Decoder) throws {
            self.init(points: try decoder.singleValueContainer().decode([Point].self))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(points)
        }
    }
#endif
