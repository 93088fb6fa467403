/// A trace that is judged by the original rules of the founding article, as a baseline for tests and benchmarks.
///
/// Only waypoints and the ends of lines are compared. A line is red unless the distance of each end from some waypoint
/// is less than the threshold (`<`). A waypoint is visited if the distance of an end is at most the threshold (`<=`),
/// so a point at exactly the threshold visits and is red. Order and direction don't matter, and an empty list of paths
/// is complete. Use ``TraceSession`` for everything else.
public struct ArticleSession: Sendable {
    /// A line, with its verdict when it was drawn.
    public struct Line: Sendable, Hashable {
        /// The line from the previous to the current point of the touch.
        public let segment: Segment
        /// A Boolean value that indicates whether one of the ends was not near any waypoint.
        public let isOutOfBounds: Bool
    }

    /// The threshold in view units, positive and finite.
    public let threshold: Double
    /// The expected paths with their waypoints.
    public let paths: [TracePath]
    /// The lines so far.
    public private(set) var lines: [Line] = []
    /// The waypoints that were not visited yet.
    public private(set) var pending: [TracePoint]

    /// Creates an empty trace.
    ///
    /// - Throws: The errors of ``Waypoints/calculate(maxDistance:start:end:)``.
    public init(paths: [TracePath], threshold: Double = 20) throws(TraceInputError) {
        var dense: [TracePath] = []
        for path in paths { dense.append(try Waypoints.densified(path, maxDistance: threshold)) }
        self.paths = dense
        self.threshold = threshold
        pending = dense.flatMap { $0.points }
    }

    /// A Boolean value that indicates whether all waypoints were visited; `true` if there are no paths.
    public var isComplete: Bool { pending.isEmpty }

    /// Adds a line from the previous to the current point of a touch.
    public mutating func add(from start: TracePoint, to end: TracePoint) {
        let isInside = isInBounds(start) && isInBounds(end)
        lines.append(Line(segment: Segment(start, end), isOutOfBounds: !isInside))
        pending.removeAll { start.distance(to: $0) <= threshold || end.distance(to: $0) <= threshold }
    }

    /// Returns a Boolean value that indicates whether the distance from a point to some waypoint is less than the
    /// threshold.
    public func isInBounds(_ point: TracePoint) -> Bool {
        paths.contains { path in path.points.contains { $0.distance(to: point) < threshold } }
    }

    /// Returns the current color of a line: red if it is out of bounds, else green if the trace is complete, else
    /// black.
    public func color(of line: Line) -> LineColor {
        line.isOutOfBounds ? .red : isComplete ? .green : .black
    }
}
