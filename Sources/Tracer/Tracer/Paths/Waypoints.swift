/// The densification of paths in the founding article: every segment is bisected until its points are close together.
public enum Waypoints {
    /// The maximum number of waypoints on a segment.
    public static let mostPerPiece = (1 << 24) - 1

    /// Returns points between two points, without these, less than `maxDistance` apart.
    ///
    /// Bisection results in 2^k - 1 points with the least sufficient k. There is no point for a distance less than
    /// `maxDistance`, and one point for exactly `maxDistance`.
    ///
    /// - Throws: ``TraceInputError`` for a distance that isn't positive and finite, for unusable coordinates, and if
    ///   more than ``mostPerPiece`` points would be required.
    public static func calculate(
        maxDistance: Double, start: TracePoint, end: TracePoint
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
    ///
    /// - Throws: The errors of ``calculate(maxDistance:start:end:)``.
    public static func densified(_ path: TracePath, maxDistance: Double) throws(TraceInputError) -> TracePath {
        guard var previous = path.points.first else { return path }
        var points = [previous]
        for point in path.points.dropFirst() {
            points += try calculate(maxDistance: maxDistance, start: previous, end: point)
            points.append(point)
            previous = point
        }
        return TracePath(points: points)
    }
}
