/// The original rules of the founding article, as a baseline for tests and benchmarks. Use ``TraceSession`` for
/// everything else.
public enum FoundingArticle {
    /// A trace that compares only waypoints and the ends of lines.
    ///
    /// A line is red unless each of its ends is less than the threshold (`<`) away from a waypoint. A line visits a
    /// waypoint if the distance of one of its ends is at most the threshold (`<=`). A point at exactly the threshold
    /// therefore visits the waypoint, and its line is red. Order and direction don't matter, and an empty list of paths
    /// is complete.
    public struct Session: Sendable {
        /// A line, with its verdict when it was drawn.
        public struct Line: Sendable, Hashable {
            /// The previous point of the touch.
            public let start: TracePoint
            /// The current point of the touch.
            public let end: TracePoint
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
        /// - Throws: The errors of ``FoundingArticle/waypoints(from:to:maxDistance:)``.
        public init(paths: [TracePath], threshold: Double = 20) throws(TraceInputError) {
            var dense: [TracePath] = []
            for path in paths { dense.append(try FoundingArticle.densified(path, maxDistance: threshold)) }
            self.paths = dense
            self.threshold = threshold
            pending = dense.flatMap { $0.points }
        }

        /// A Boolean value that indicates whether the trace has visited all waypoints. It is `true` if there are no paths.
        public var isComplete: Bool { pending.isEmpty }

        /// Adds a line from the previous to the current point of a touch.
        public mutating func add(from start: TracePoint, to end: TracePoint) {
            let isInside = isInBounds(start) && isInBounds(end)
            lines.append(Line(start: start, end: end, isOutOfBounds: !isInside))
            pending.removeAll { start.distance(to: $0) <= threshold || end.distance(to: $0) <= threshold }
        }

        /// Returns a Boolean value that indicates whether the distance from a point to some waypoint is less than the
        /// threshold.
        public func isInBounds(_ point: TracePoint) -> Bool {
            paths.contains { path in path.points.contains { $0.distance(to: point) < threshold } }
        }

        /// Returns the current color of a line: red if the line is out of bounds, green if the trace is complete, and black
        /// otherwise.
        public func color(of line: Line) -> TracedLine.Color {
            line.isOutOfBounds ? .red : isComplete ? .green : .black
        }
    }

    /// The maximum number of waypoints on a segment.
    static let mostPerPiece = (1 << 24) - 1

    /// Returns points between two points, without these, less than `maxDistance` apart.
    ///
    /// Bisection results in 2^k - 1 points with the least sufficient k. There is no point for a distance less than
    /// `maxDistance`, and one point for exactly `maxDistance`.
    ///
    /// - Throws: ``TraceInputError`` for a distance that isn't positive and finite, for unusable coordinates, and if
    ///   more than 16,777,215 points would be required.
    public static func waypoints(
        from start: TracePoint, to end: TracePoint, maxDistance: Double
    ) throws(TraceInputError) -> [TracePoint] {
        guard maxDistance > 0, maxDistance.isFinite else { throw .threshold(maxDistance) }
        guard start.isUsable else { throw .coordinate(start, path: 0, point: 0) }
        guard end.isUsable else { throw .coordinate(end, path: 0, point: 1) }
        var gap = start.distance(to: end)
        var pieces = 1
        while gap >= maxDistance {
            gap /= 2
            pieces *= 2
            guard pieces - 1 <= mostPerPiece else { throw .tooManyWaypoints(maxDistance: maxDistance) }
        }
        var points = [TracePoint](repeating: start, count: pieces + 1)
        points[pieces] = end
        // The midpoints are computed as in the article's recursion, so that they are rounded in the same way.
        var step = pieces
        while step > 1 {
            for index in stride(from: 0, to: pieces, by: step) {
                points[index + step / 2] = points[index].interpolated(to: points[index + step], 0.5)
            }
            step /= 2
        }
        return Array(points[1..<pieces])
    }

    /// Returns the path with waypoints on every segment.
    static func densified(_ path: TracePath, maxDistance: Double) throws(TraceInputError) -> TracePath {
        guard var previous = path.points.first else { return path }
        var points = [previous]
        for point in path.points.dropFirst() {
            points += try waypoints(from: previous, to: point, maxDistance: maxDistance)
            points.append(point)
            previous = point
        }
        return TracePath(points: points)
    }
}
