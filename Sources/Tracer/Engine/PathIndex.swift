/// Answers "what of the expected paths is within the threshold of this place", exactly, in constant time.
///
/// A uniform grid over all pieces of all paths, built once and immutable. A cell lists every piece that comes within the
/// radius of some point of the cell, so a question looks at one cell only; a cell that lies wholly within the radius of
/// one piece is answered without looking at any. The answers are those of comparing with every piece.
///
/// Cells are 0.8 radii wide, or 2 for more than 100,000 pieces, and wider where paths are so long or far apart that the
/// index would need more than some 150 bytes a piece.
public struct PathIndex: Sendable {
    /// The distance up to which (inclusive) a place counts as near a path, in view units.
    public let radius: Double
    let pieces: [Piece]
    private let grid: Grid
    private let squaredRadius: Double

    /// - Throws: ``TraceInputError`` for a radius or a coordinate that can't be used.
    public init(paths: [Path], radius: Double) throws(TraceInputError) {
        guard radius > 0, radius <= Point.largestCoordinate else { throw .threshold(radius) }
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

    /// Whether a place is within the radius of any path. False for coordinates that are not numbers.
    public func contains(_ point: Point) -> Bool {
        pieces.withUnsafeBufferPointer { pieces in
            grid.contains(point) { pieces[$0].squaredDistance(to: point) <= squaredRadius }
        }
    }

    /// The numbers of all pieces within the radius of a place, counted through all paths, in order.
    public func pieces(near point: Point) -> [Int] {
        grid.items(of: grid.cell(at: point)).lazy.map(Int.init)
            .filter { pieces[$0].squaredDistance(to: point) <= squaredRadius }.sorted()
    }

    /// The share (0...1) of a straight move that stays within the radius of the paths.
    public func share(inside move: Segment) -> Double {
        guard move.start.isUsable, move.end.isUsable else { return 0 }
        var inside = IntervalSet()
        for number in candidates(near: move) {
            if let part = move.part(within: radius, of: pieces[number].segment) { inside.insert(part) }
            if inside.isWhole { return 1 }
        }
        return move.start == move.end ? (inside.intervals.isEmpty ? 0 : 1) : inside.measure
    }

    /// Every piece that some point of the move may be near; none is listed twice.
    func candidates(near move: Segment) -> [Int] {
        let (first, last) = (grid.cell(at: move.start), grid.cell(at: move.end))
        if first == last { return grid.items(of: first).map(Int.init).sorted() }
        var found: Set<Int> = []
        grid.visitCells(of: move) { cell in
            for item in grid.items(of: cell) { found.insert(Int(item)) }
        }
        return found.sorted()
    }

    /// The memory of the index in bytes, pieces included.
    public var byteCount: Int {
        pieces.count * MemoryLayout<Piece>.stride + grid.byteCount
    }

    /// A segment with what the distance to a point needs, computed once.
    struct Piece: Sendable {
        let start: Point
        let direction: Point
        /// One over the squared length; 0 for a dot, which makes every place nearest to its start.
        let inverseSquare: Double

        init(_ segment: Segment) {
            start = segment.start
            direction = segment.direction
            let squared = direction.squaredLength
            inverseSquare = squared >= Double.leastNormalMagnitude ? 1 / squared : 0
        }

        var segment: Segment { Segment(start, start + direction) }

        @inline(__always) func squaredDistance(to point: Point) -> Double {
            let offset = point - start
            let share = min(max(offset.dot(direction) * inverseSquare, 0), 1)
            return (offset - direction * share).squaredLength
        }
    }
}
