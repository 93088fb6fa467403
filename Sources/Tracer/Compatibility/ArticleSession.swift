/// The rules of the founding article, kept as they were: the baseline of tests and benchmarks.
///
/// Only waypoints count and only the two ends of a line. A line is red unless both its ends are nearer than the threshold
/// (`<`) to some waypoint. A waypoint is visited once an end of a line is as near as the threshold (`<=`), so a point at
/// exactly the threshold visits and is red. Order and direction don't matter, and an empty list of paths is complete. Use
/// ``TraceSession`` for everything else.
public struct ArticleSession: Sendable {
    /// One move, with the verdict it got when it was drawn.
    public struct Line: Sendable, Hashable {
        /// From the touch's previous place to its current one.
        public let segment: Segment
        /// Whether one of its ends was not near any waypoint.
        public let isOutOfBounds: Bool
    }

    /// Positive and finite, in view units.
    public let threshold: Double
    /// The expected paths with their waypoints.
    public let paths: [Path]
    /// Every line so far.
    public private(set) var lines: [Line] = []
    /// Waypoints that no line has visited yet.
    public private(set) var pending: [Point]

    /// - Throws: ``TraceInputError`` as ``Waypoints/calculate(maxDistance:start:end:)`` does.
    public init(paths: [Path], threshold: Double = 20) throws(TraceInputError) {
        var dense: [Path] = []
        for path in paths { dense.append(try Waypoints.densified(path, maxDistance: threshold)) }
        self.paths = dense
        self.threshold = threshold
        pending = dense.flatMap(\.points)
    }

    /// Whether no waypoint is pending; so from the start for no paths.
    public var isComplete: Bool { pending.isEmpty }

    /// Adds a line from a touch's previous place to its current one.
    public mutating func add(from start: Point, to end: Point) {
        let isInside = isInBounds(start) && isInBounds(end)
        lines.append(Line(segment: Segment(start, end), isOutOfBounds: !isInside))
        pending.removeAll { start.distance(to: $0) <= threshold || end.distance(to: $0) <= threshold }
    }

    /// Whether a point is nearer than the threshold to some waypoint.
    public func isInBounds(_ point: Point) -> Bool {
        paths.contains { path in path.points.contains { $0.distance(to: point) < threshold } }
    }

    /// Red wins over green, green over black.
    public func color(of line: Line) -> LineColor {
        line.isOutOfBounds ? .red : isComplete ? .green : .black
    }
}
