/// The geometry of a ``Grid``: the position and size of its cells.
struct GridShape: Sendable {
    /// The center of the first cell, in the corner of the border.
    private let firstCenter: TracePoint
    private let cellSize: Double
    private let inverseSize: Double
    private let columns: Int
    private let rows: Int
    private let lastColumn: Double
    private let lastRow: Double
    /// The largest rounding error of a coordinate. Cells are extended by it, so that no cell misses a piece.
    private let slack: Double

    var count: Int { columns * rows }

    init(around pieces: [PathIndex.Piece], radius: Double) {
        let bounds = TraceRect(around: pieces.lazy.flatMap { [$0.start, $0.start + $0.direction] })
        let frame = bounds ?? TraceRect(x: 0, y: 0, width: 0, height: 0)
        let width = frame.size.width + 2 * radius
        let height = frame.size.height + 2 * radius
        let length = pieces.reduce(0) { $0 + $1.direction.length }
        let number = Double(pieces.count)
        // Limits the memory for long paths with a small radius.
        let maximumCells = 64 * number + 4096
        let maximumItems = min(20 * number + 4096, 0x1p31)
        func items(_ size: Double) -> Double {
            let breadth = 2 * radius + size
            return (length + number * breadth) * breadth / size / size
        }
        let farthest = [frame.origin.x, frame.origin.y, frame.maximum.x, frame.maximum.y].reduce(radius) {
            max($0, abs($1))
        }
        // Cells must not be much smaller than the precision of the coordinates.
        var size = max((pieces.count > 100_000 ? 2 : 0.8) * radius, farthest * 0x1p-40, 1e-150)
        while (width / size + 3) * (height / size + 3) > maximumCells || items(size) > maximumItems { size *= 1.25 }
        columns = Int(width / size) + 3
        rows = Int(height / size) + 3
        lastColumn = Double(columns - 1)
        lastRow = Double(rows - 1)
        cellSize = size
        inverseSize = 1 / size
        slack = size * 1e-9 + farthest * 0x1p-49
        let margin = radius + size / 2 + 2 * slack
        firstCenter = TracePoint(frame.origin.x - margin, frame.origin.y - margin)
    }

    /// Returns the cell of a point. For NaN and points outside the grid, the cell is in the border.
    @inline(__always) func cell(at point: TracePoint) -> Int {
        // This order of operands converts NaN to 0.
        let x = min(max(0, (point.x - firstCenter.x) * inverseSize), lastColumn)
        let y = min(max(0, (point.y - firstCenter.y) * inverseSize), lastRow)
        return Self.nearestInt(y) &* columns &+ Self.nearestInt(x)
    }

    /// Returns a number in 0..<2^51 rounded to an integer. The sum has no bits for a fraction. Ties may be rounded in
    /// either direction, which `slack` allows for.
    @inline(__always) private static func nearestInt(_ value: Double) -> Int {
        Int(truncatingIfNeeded: (value + 0x1p52).bitPattern &- (0x1p52).bitPattern)
    }

    func center(of cell: Int) -> TracePoint {
        let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
        return TracePoint(firstCenter.x + Double(column) * cellSize, firstCenter.y + Double(row) * cellSize)
    }

    /// Returns a Boolean value that indicates whether a cell is entirely within the radius of a piece. Returns `false`
    /// for the border, whose cells are unbounded.
    func contains(_ cell: Int, within radius: Double, of piece: PathIndex.Piece) -> Bool {
        let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
        guard row > 0, column > 0, row < rows - 1, column < columns - 1 else { return false }
        let center = center(of: cell)
        let limit = radius * radius
        let half = cellSize / 2 + slack
        // The neighborhood of a segment is convex, so the corners decide.
        return piece.squaredDistance(to: center) <= limit
            && piece.squaredDistance(to: TracePoint(center.x - half, center.y - half)) <= limit
            && piece.squaredDistance(to: TracePoint(center.x + half, center.y - half)) <= limit
            && piece.squaredDistance(to: TracePoint(center.x - half, center.y + half)) <= limit
            && piece.squaredDistance(to: TracePoint(center.x + half, center.y + half)) <= limit
    }

    /// Calls `body` for every cell with a point within `reach` of the segment, row by row.
    func visit(_ segment: Segment, reach: Double, _ body: (Int) -> Void) {
        let reach = reach + slack
        let direction = segment.direction
        let corner = cellSize * 0.7071067811865476 + reach
        let low = min(segment.start.y, segment.end.y) - reach
        let high = max(segment.start.y, segment.end.y) + reach
        let half = cellSize / 2
        for row in range(low, high, from: firstCenter.y, last: lastRow) {
            let middle = firstCenter.y + Double(row) * cellSize
            let band = (middle - half - reach)...(middle + half + reach)
            // The rows of the border are unbounded.
            let isBorder = row == 0 || row == rows - 1
            guard
                let part = isBorder
                    ? .whole : Interval.solving(segment.start.y, direction.y, within: band)?.intersection(.whole)
            else { continue }
            let x1 = segment.point(at: part.low).x
            let x2 = segment.point(at: part.high).x
            for column in range(min(x1, x2) - reach, max(x1, x2) + reach, from: firstCenter.x, last: lastColumn) {
                let center = TracePoint(firstCenter.x + Double(column) * cellSize, middle)
                let isAtEdge = isBorder || column == 0 || column == columns - 1
                if isAtEdge || segment.distance(to: center) <= corner { body(row * columns + column) }
            }
        }
    }

    /// Returns the rows or columns that intersect a range of coordinates, clamped to the border.
    private func range(_ low: Double, _ high: Double, from first: Double, last: Double) -> ClosedRange<Int> {
        let from = min(max(0, (low - first) * inverseSize + 0.5), last)
        let to = min(max(0, (high - first) * inverseSize + 0.5), last)
        return Int(from)...max(Int(from), Int(to))
    }
}
