/// The founding article's way to make a path dense: halve every piece until its points are close together.
public enum Waypoints {
    /// More points than this on one piece are refused.
    public static let mostPerPiece = (1 << 24) - 1

    /// The points between two points, both excluded, such that neighbours are less than `maxDistance` apart.
    ///
    /// Halving gives 2^k - 1 points, with the smallest k that suffices: none for a distance below `maxDistance`, one
    /// for exactly `maxDistance`.
    ///
    /// - Throws: ``TraceInputError`` for a distance that is not positive and finite, for coordinates that are not
    ///   usable, and when more than ``mostPerPiece`` points would be needed.
    public static func calculate(
        maxDistance: Double, start: Point, end: Point
    ) throws(TraceInputError) -> [Point] {
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
        var points = [Point](repeating: start, count: pieces + 1)
        points[pieces] = end
        // Midpoints of midpoints, not shares of the whole: the same roundings as the article's recursion.
        var step = pieces
        while step > 1 {
            for index in stride(from: 0, to: pieces, by: step) {
                points[index + step / 2] = points[index].interpolated(to: points[index + step], 0.5)
            }
            step /= 2
        }
        return Array(points[1..<pieces])
    }

    /// The path with such points on every piece.
    ///
    /// - Throws: as ``calculate(maxDistance:start:end:)``.
    public static func densified(_ path: Path, maxDistance: Double) throws(TraceInputError) -> Path {
        guard var previous = path.points.first else { return path }
        var points = [previous]
        for point in path.points.dropFirst() {
            points += try calculate(maxDistance: maxDistance, start: previous, end: point)
            points.append(point)
            previous = point
        }
        return Path(points: points)
    }
}
