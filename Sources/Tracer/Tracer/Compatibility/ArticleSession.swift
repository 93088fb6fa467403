/// A trace with the original rules of the founding article, as a baseline for tests and benchmarks.
///
/// The rules compare only waypoints and the ends of lines. A line is red unless each of its ends is less than the
/// threshold (`<`) away from a waypoint. A line visits a waypoint if the distance of one of its ends is at most the
/// threshold (`<=`). A point at exactly the threshold therefore visits the waypoint, and its line is red. Order and
/// direction don't matter, and an empty list of paths is complete. Use ``TraceSession`` for everything else.
public struct ArticleSession: Sendable {
    /// A line, with its verdict when it was drawn.
    public struct Line: Sendable, Hashable {
        /// The line from the previous to the current point of the touch.
        public let segment: Segment
        /// A Boolean value that indicates whether an end of the line was not near any waypoint.
        public let isOutOfBounds: Bool
    }

    /// The threshold in view units, positive and finite.
    public let threshold: Double
    /// The expected paths with their waypoints.
    public let paths: [TracePath]
    /// The lines so far.
    public private(set) var lines: [Line] = []
    /// The waypoints that the trace has not visited yet.
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

    /// A Boolean value that indicates whether the trace has visited all waypoints. It is `true` if there are no paths.
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

    /// Returns the current color of a line: red if the line is out of bounds, green if the trace is complete, and black
    /// otherwise.
    public func color(of line: Line) -> LineColor {
        line.isOutOfBounds ? .red : isComplete ? .green : .black
    }
}
