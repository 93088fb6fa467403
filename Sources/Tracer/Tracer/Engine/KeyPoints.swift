extension TraceTarget {
    /// The key points: the ends and sharp corners of all paths, without points that are near an earlier key point.
    public var keyPoints: [TracePoint] {
        var found = SparsePoints(distance: threshold / 2, count: pathOfPiece.count + paths.count)
        for path in paths {
            let points = path.points
            if let first = points.first { found.add(first) }
            for index in points.indices.dropFirst().dropLast() {
                let before = points[index] - points[index - 1]
                let after = points[index + 1] - points[index]
                if before.isCorner(before: after) { found.add(points[index]) }
            }
            if let last = points.last { found.add(last) }
        }
        return found.points
    }
}

extension TracePoint {
    /// Returns a Boolean value that indicates whether a path has a corner between two directions. A flattened curve turns
    /// by a few degrees at each point, a corner by more than 40.
    func isCorner(before next: TracePoint) -> Bool { dot(next) < 0.766 * length * next.length }
}

/// A list of points that are not near each other. Adding a point takes constant time.
private struct SparsePoints {
    private(set) var points: [TracePoint] = []
    private let distance: Double
    /// The side of the square cells, at least the distance. Numbers of cells beyond the precision of integers would not
    /// differ by one.
    private let side: Double
    /// The index of the last point in each bucket of cells, -1 without one.
    private var lastInBucket: [Int32]
    /// The index of the point before each point in its bucket.
    private var previous: [Int32] = []

    /// - Parameters:
    ///   - distance: The least distance between points, greater than zero.
    ///   - count: The largest number of points.
    init(distance: Double, count: Int) {
        self.distance = distance
        side = max(distance, TracePoint.largestCoordinate * 0x1p-50)
        points.reserveCapacity(count)
        previous.reserveCapacity(count)
        var buckets = 16
        while buckets < 2 * count { buckets *= 2 }
        lastInBucket = Array(repeating: -1, count: buckets)
    }

    /// Adds a point unless an earlier point is nearer than the distance.
    mutating func add(_ point: TracePoint) {
        let column = Int64(Dividers.Steps.floor(point.x / side))
        let row = Int64(Dividers.Steps.floor(point.y / side))
        for x in column - 1...column + 1 {
            for y in row - 1...row + 1 {
                var index = lastInBucket[bucket(x, y)]
                while index >= 0 {
                    if points[Int(index)].distance(to: point) < distance { return }
                    index = previous[Int(index)]
                }
            }
        }
        let own = bucket(column, row)
        previous.append(lastInBucket[own])
        lastInBucket[own] = Int32(points.count)
        points.append(point)
    }

    /// Returns the bucket of a cell; those of most cells beside each other in a row are beside each other, too.
    private func bucket(_ column: Int64, _ row: Int64) -> Int {
        let (a, b) = (UInt64(bitPattern: column >> 4), UInt64(bitPattern: row))
        let mixed = (a &* 0x9E37_79B9_7F4A_7C15) ^ (b &* 0xC2B2_AE3D_27D4_EB4F)
        let hash = Int(truncatingIfNeeded: mixed >> 32) << 4 | Int(column & 15)
        return hash & (lastInBucket.count - 1)
    }
}
