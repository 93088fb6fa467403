extension TraceTarget {
    /// The key points: the ends and sharp corners of all paths, without points near an earlier one.
    public var keyPoints: [TracePoint] {
        var found = SparsePoints(distance: threshold / 2)
        for path in paths {
            let points = path.points
            if let first = points.first { found.add(first) }
            for index in points.indices.dropFirst().dropLast() {
                let before = points[index] - points[index - 1]
                let after = points[index + 1] - points[index]
                // A flattened curve turns by a few degrees at each point, a corner by more than 40.
                if before.dot(after) < 0.766 * before.length * after.length { found.add(points[index]) }
            }
            if let last = points.last { found.add(last) }
        }
        return found.points
    }
}

/// A list of points that are not near each other. Adding a point takes constant time.
private struct SparsePoints {
    private(set) var points: [TracePoint] = []
    private let distance: Double
    /// The index of the last point in each square cell, whose sides are at least as long as the distance.
    private var lastInCell: [Cell: Int] = [:]
    /// The index of the point before each point in its cell.
    private var previous: [Int?] = []

    private struct Cell: Hashable {
        var column, row: Double
    }

    /// - Parameter distance: The least distance between points, greater than zero.
    init(distance: Double) {
        self.distance = distance
    }

    /// Adds a point unless an earlier one is nearer than the distance.
    mutating func add(_ point: TracePoint) {
        // Numbers of cells beyond the precision of integers would not differ by one.
        let side = max(distance, TracePoint.largestCoordinate * 0x1p-50)
        let own = Cell(column: Dividers.Steps.floor(point.x / side), row: Dividers.Steps.floor(point.y / side))
        for (x, y) in Self.neighborhood {
            var index = lastInCell[Cell(column: own.column + x, row: own.row + y)]
            while let other = index {
                if points[other].distance(to: point) < distance { return }
                index = previous[other]
            }
        }
        previous.append(lastInCell.updateValue(points.count, forKey: own))
        points.append(point)
    }

    private static let neighborhood: [(Double, Double)] = [-1, 0, 1].flatMap { x in [-1, 0, 1].map { (x, $0) } }
}
