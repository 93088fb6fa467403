/// A spatial index that finds the parts of paths within a radius of a point, exactly and in constant time.
///
/// The index is an immutable uniform grid over the *pieces* of all paths: the straight segments, and the dots. A cell
/// lists every piece within the radius of any of its points, so a query reads only one cell. If a cell is entirely
/// within the radius of a piece, a query compares with no piece at all. The results are the same as those of a
/// comparison with every piece.
///
/// Cells are 0.8 radii wide, or 2 radii for more than 100,000 pieces. They are wider for very long or distant paths,
/// which limits the index to about 150 bytes per piece.
package struct PathIndex: Sendable {
    /// The distance up to which a point is near a path, inclusive, in view units.
    package let radius: Double
    let pieces: [Piece]
    private let grid: Grid
    private let squaredRadius: Double

    /// Creates the index of some paths.
    ///
    /// - Throws: ``TraceInputError`` for an invalid radius or coordinate.
    package init(paths: [TracePath], radius: Double) throws(TraceInputError) {
        guard radius > 0, radius <= TracePoint.largestCoordinate else { throw .threshold(radius) }
        var pieces: [Piece] = []
        pieces.reserveCapacity(paths.reduce(0) { $0 + $1.points.count })
        for (number, path) in paths.enumerated() {
            if let bad = path.points.firstIndex(where: { !$0.isUsable }) {
                throw .coordinate(path.points[bad], path: number, point: bad)
            }
            pieces += path.segments.map { Piece($0) }
        }
        guard pieces.count < Int32.max else { throw .tooManyPoints }
        self.radius = radius
        squaredRadius = radius * radius
        self.pieces = pieces
        grid = Grid(pieces, radius: radius)
    }

    /// Returns a Boolean value that indicates whether a point is within the radius of any path. Returns `false` for
    /// NaN.
    package func contains(_ point: TracePoint) -> Bool {
        pieces.withUnsafeBufferPointer { pieces in
            grid.contains(point) { pieces[$0].squaredDistance(to: point) <= squaredRadius }
        }
    }

    /// Returns the numbers of all pieces within the radius of a point, in ascending order. Pieces are numbered from
    /// zero across all paths.
    package func pieces(near point: TracePoint) -> [Int] {
        grid.items(of: grid.cell(at: point)).lazy.map(Int.init)
            .filter { pieces[$0].squaredDistance(to: point) <= squaredRadius }.sorted()
    }

    /// Returns the share of a straight move that is within the radius of the paths, 0...1.
    package func share(inside move: Segment) -> Double {
        guard move.start.isUsable, move.end.isUsable else { return 0 }
        let inside = IntervalSet(
            candidates(near: move).compactMap { move.part(within: radius, of: pieces[$0].segment) })
        return move.start == move.end ? (inside.intervals.isEmpty ? 0 : 1) : inside.measure
    }

    /// Returns the numbers of all pieces that may be near some point of the move, in ascending order without
    /// duplicates.
    func candidates(near move: Segment) -> [Int] {
        let (first, last) = (grid.cell(at: move.start), grid.cell(at: move.end))
        if first == last { return grid.items(of: first).map(Int.init).sorted() }
        var items: [UInt32] = []
        grid.visitCells(of: move) { cell in items += grid.items(of: cell) }
        if items.count < pieces.count / 16 {
            items.sort()
            return items.indices.lazy.filter { $0 == 0 || items[$0] != items[$0 - 1] }.map { Int(items[$0]) }
        }
        // Marks take linear time, and sorting more.
        var isFound = [Bool](repeating: false, count: pieces.count)
        var found: [Int] = []
        found.reserveCapacity(items.count)
        for item in items { isFound[Int(item)] = true }
        for number in isFound.indices where isFound[number] { found.append(number) }
        return found
    }

    /// Calls `body` for the number of each piece that may be near some point of the move, once or more.
    func visitPieces(near move: Segment, _ body: (Int) -> Void) {
        grid.visitCells(of: move) { cell in
            for item in grid.items(of: cell) { body(Int(item)) }
        }
    }

    /// The memory of the index in bytes, including the pieces.
    package var byteCount: Int {
        pieces.count * MemoryLayout<Piece>.stride + grid.byteCount
    }

    /// A segment with precomputed values for its distance to a point.
    struct Piece: Sendable {
        let start: TracePoint
        let direction: TracePoint
        /// The inverse of the squared length; 0 for a dot, so that its nearest point is always its start.
        let inverseSquare: Double

        init(_ segment: Segment) {
            start = segment.start
            direction = segment.direction
            let squared = direction.squaredLength
            inverseSquare = squared >= Double.leastNormalMagnitude ? 1 / squared : 0
        }

        var segment: Segment { Segment(start, start + direction) }

        @inline(__always) func squaredDistance(to point: TracePoint) -> Double {
            let offset = point - start
            let share = min(max(offset.dot(direction) * inverseSquare, 0), 1)
            return (offset - direction * share).squaredLength
        }
    }
}
