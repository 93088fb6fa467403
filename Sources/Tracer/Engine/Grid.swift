/// The cells of a ``PathIndex`` and which pieces each of them lists.
struct Grid: Sendable {
    enum Kind: UInt8, Sendable {
        case empty, mixed
        /// Wholly within the radius of one of its pieces.
        case full
    }

    let origin: Point
    let cellSize: Double
    let columns: Int
    let rows: Int
    private let inverseSize: Double
    /// The items of cell `i` are `items[starts[i]..<starts[i + 1]]`.
    private let starts: [UInt32]
    private let items: [UInt32]
    let kinds: [Kind]

    init(_ pieces: [PathIndex.Piece], radius: Double) {
        let ends = pieces.flatMap { [$0.start, $0.start + $0.direction] }
        let bounds = Rect(around: ends)?.inset(by: 0) ?? Rect(x: 0, y: 0, width: 0, height: 0)
        let width = bounds.size.width + 2 * radius
        let height = bounds.size.height + 2 * radius
        // Long paths and a small radius must not ask for more cells than there is memory.
        let mostCells = Double(64 * pieces.count + 4096)
        var size = pieces.count > 100_000 ? 2 * radius : 1.25 * radius
        while (width / size + 1) * (height / size + 1) > mostCells { size *= 2 }
        var shape = Shape(
            origin: Point(bounds.origin.x - radius, bounds.origin.y - radius), cellSize: size,
            columns: Int(width / size) + 1, rows: Int(height / size) + 1)
        if pieces.isEmpty { shape.rows = 0 }

        var counts = [UInt32](repeating: 0, count: shape.columns * shape.rows + 1)
        for piece in pieces { shape.visit(piece.segment, reach: radius) { counts[$0 + 1] += 1 } }
        for index in counts.indices.dropFirst() { counts[index] += counts[index - 1] }
        var items = [UInt32](repeating: 0, count: Int(counts.last ?? 0))
        var kinds = [Kind](repeating: .empty, count: shape.columns * shape.rows)
        var next = counts
        for (number, piece) in pieces.enumerated() {
            shape.visit(piece.segment, reach: radius) { cell in
                items[Int(next[cell])] = UInt32(number)
                next[cell] += 1
                if kinds[cell] != .full {
                    kinds[cell] =
                        shape.corners(of: cell).allSatisfy {
                            piece.squaredDistance(to: $0) <= radius * radius
                        } ? .full : .mixed
                }
            }
        }
        Self.sortByDistance(&items, starts: counts, shape, pieces)
        origin = shape.origin
        cellSize = size
        inverseSize = 1 / size
        columns = shape.columns
        rows = shape.rows
        starts = counts
        self.items = items
        self.kinds = kinds
    }

    /// Puts the piece nearest to a cell's centre first in its list: most places in the cell are near that one, so that
    /// the first comparison decides.
    private static func sortByDistance(
        _ items: inout [UInt32], starts: [UInt32], _ shape: Shape, _ pieces: [PathIndex.Piece]
    ) {
        for cell in starts.indices.dropLast() where starts[cell + 1] - starts[cell] > 1 {
            let range = Int(starts[cell])..<Int(starts[cell + 1])
            let center = shape.center(of: cell)
            let ordered = items[range].map { (distance: pieces[Int($0)].squaredDistance(to: center), item: $0) }
                .sorted { ($0.distance, $0.item) < ($1.distance, $1.item) }
            for (place, entry) in zip(range, ordered) { items[place] = entry.item }
        }
    }

    /// The cell of a place, -1 outside the grid and for what is not a number.
    @inline(__always) func cell(at point: Point) -> Int {
        let x = (point.x - origin.x) * inverseSize
        let y = (point.y - origin.y) * inverseSize
        guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return -1 }
        return Int(y) * columns + Int(x)
    }

    func items(of cell: Int) -> ArraySlice<UInt32> {
        items[Int(starts[cell])..<Int(starts[cell + 1])]
    }

    @inline(__always) func withItems<Result>(of cell: Int, _ body: (Slice<UnsafeBufferPointer<UInt32>>) -> Result)
        -> Result
    {
        let range = Int(starts[cell])..<Int(starts[cell + 1])
        return items.withUnsafeBufferPointer { body($0[range]) }
    }

    func visitCells(of segment: Segment, reach: Double, _ body: (Int) -> Void) {
        Shape(origin: origin, cellSize: cellSize, columns: columns, rows: rows).visit(segment, reach: reach, body)
    }

    var byteCount: Int {
        starts.count * MemoryLayout<UInt32>.stride + items.count * MemoryLayout<UInt32>.stride + kinds.count
    }
}

extension Grid {
    /// Where the cells lie.
    private struct Shape {
        var origin: Point
        var cellSize: Double
        var columns: Int
        var rows: Int

        func center(of cell: Int) -> Point {
            Point(
                origin.x + (Double(cell % columns) + 0.5) * cellSize,
                origin.y + (Double(cell / columns) + 0.5) * cellSize)
        }

        func corners(of cell: Int) -> [Point] {
            // A little larger than the cell, so that rounding can't put a point of the neighbour into it.
            let slack = cellSize * 1e-9
            let low = Point(
                origin.x + Double(cell % columns) * cellSize - slack,
                origin.y + Double(cell / columns) * cellSize - slack)
            let high = Point(low.x + cellSize + 2 * slack, low.y + cellSize + 2 * slack)
            return [low, high, Point(low.x, high.y), Point(high.x, low.y)]
        }

        /// Calls `body` for every cell with a point within `reach` of the segment, row by row.
        func visit(_ segment: Segment, reach: Double, _ body: (Int) -> Void) {
            let slack = cellSize * 1e-9
            let reach = reach + slack
            let direction = segment.direction
            let halfDiagonal = cellSize * 0.7071067811865476 + slack
            guard
                let rowRange = range(
                    min(segment.start.y, segment.end.y) - reach, max(segment.start.y, segment.end.y) + reach,
                    from: origin.y, count: rows)
            else { return }
            for row in rowRange {
                let top = origin.y + Double(row) * cellSize
                let band = (top - reach)...(top + cellSize + reach)
                guard let part = Interval.solving(segment.start.y, direction.y, within: band)?.intersection(.whole)
                else { continue }
                let x1 = segment.point(at: part.low).x
                let x2 = segment.point(at: part.high).x
                guard let columnRange = range(min(x1, x2) - reach, max(x1, x2) + reach, from: origin.x, count: columns)
                else { continue }
                for column in columnRange {
                    let center = Point(origin.x + (Double(column) + 0.5) * cellSize, top + 0.5 * cellSize)
                    if segment.distance(to: center) <= reach + halfDiagonal { body(row * columns + column) }
                }
            }
        }

        private func range(_ low: Double, _ high: Double, from start: Double, count: Int) -> ClosedRange<Int>? {
            let first = (low - start) / cellSize
            let last = (high - start) / cellSize
            guard last >= 0, first < Double(count), count > 0 else { return nil }
            return Int(max(first, 0))...Int(min(last, Double(count - 1)))
        }
    }
}
