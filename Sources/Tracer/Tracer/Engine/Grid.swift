/// The uniform grid of a ``PathIndex``, with a list of the pieces near each cell.
///
/// Most cells are empty, so a cell takes only two bits. The first bit indicates that the cell lists pieces, and the
/// second that the cell is entirely within the radius of a piece. Only cells with pieces have a list. A border of cells
/// represents everything outside the grid. Every point therefore has a cell, which is found without a branch.
struct Grid: Sendable {
    /// The bits of 64 cells, starting at the least significant bit.
    private struct Block: Sendable {
        var occupied: UInt64 = 0
        /// The cells that are entirely within the radius of one of their pieces.
        var full: UInt64 = 0
        /// The number of cells with a list in the blocks before this one.
        var rank: UInt32 = 0
    }

    private let shape: GridShape
    private let blocks: [Block]
    /// The items of the cell with list `i` are `items[starts[i]..<starts[i + 1]]`.
    private let starts: [UInt32]
    private var items: [UInt32]

    init(_ pieces: [PathIndex.Piece], radius: Double) {
        let shape = GridShape(around: pieces, radius: radius)
        // First the number of items of each cell, then the index of its next item.
        var cursors = [UInt32](repeating: 0, count: shape.count)
        for piece in pieces { shape.visit(piece.segment, reach: radius) { cursors[$0] += 1 } }
        var blocks = [Block](repeating: Block(), count: (shape.count + 63) / 64)
        var starts: [UInt32] = []
        var total: UInt32 = 0
        for cell in cursors.indices {
            if cell & 63 == 0 { blocks[cell / 64].rank = UInt32(starts.count) }
            guard cursors[cell] > 0 else { continue }
            blocks[cell / 64].occupied |= 1 << UInt64(cell & 63)
            starts.append(total)
            (cursors[cell], total) = (total, total + cursors[cell])
        }
        starts.append(total)

        var items = [UInt32](repeating: 0, count: Int(total))
        for (number, piece) in pieces.enumerated() {
            shape.visit(piece.segment, reach: radius) { cell in
                items[Int(cursors[cell])] = UInt32(number)
                cursors[cell] += 1
                let bit: UInt64 = 1 << UInt64(cell & 63)
                if blocks[cell / 64].full & bit == 0, shape.contains(cell, within: radius, of: piece) {
                    blocks[cell / 64].full |= bit
                }
            }
        }
        self.shape = shape
        self.blocks = blocks
        self.starts = starts
        self.items = items
        sortItems(pieces)
    }

    /// Sorts the list of each cell by the distance of the pieces from the cell's center. Most points of the cell are
    /// near the first piece, so a query normally needs one comparison.
    private mutating func sortItems(_ pieces: [PathIndex.Piece]) {
        var list = 0
        var keys: [Double] = []
        for (number, block) in blocks.enumerated() {
            var rest = block.occupied
            while rest != 0 {
                let bit = rest.trailingZeroBitCount
                rest &= rest - 1
                let range = Int(starts[list])..<Int(starts[list + 1])
                list += 1
                guard range.count > 1, block.full >> UInt64(bit) & 1 == 0 else { continue }
                let center = shape.center(of: number * 64 + bit)
                keys.removeAll(keepingCapacity: true)
                for index in range {
                    let item = items[index]
                    let key = pieces[Int(item)].squaredDistance(to: center)
                    var gap = keys.count
                    keys.append(key)
                    while gap > 0, keys[gap - 1] > key {
                        keys[gap] = keys[gap - 1]
                        items[range.lowerBound + gap] = items[range.lowerBound + gap - 1]
                        gap -= 1
                    }
                    keys[gap] = key
                    items[range.lowerBound + gap] = item
                }
            }
        }
    }

    /// Returns a Boolean value that indicates whether a point is near a piece of its cell. Calls `isNear` only if the
    /// bits of the cell don't decide.
    @inline(__always) func contains(_ point: TracePoint, where isNear: (Int) -> Bool) -> Bool {
        let cell = shape.cell(at: point)
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: cell & 63)
        let block = blocks.withUnsafeBufferPointer { $0[cell &>> 6] }
        if block.occupied & bit == 0 { return false }
        if block.full & bit != 0 { return true }
        let list = Int(block.rank) &+ (block.occupied & (bit &- 1)).nonzeroBitCount
        let (start, end) = starts.withUnsafeBufferPointer { (Int($0[list]), Int($0[list &+ 1])) }
        return items.withUnsafeBufferPointer { items in
            var index = start
            repeat {
                if isNear(Int(items[index])) { return true }
                index &+= 1
            } while index < end
            return false
        }
    }

    func cell(at point: TracePoint) -> Int { shape.cell(at: point) }

    func items(of cell: Int) -> ArraySlice<UInt32> {
        let block = blocks[cell / 64]
        let bit: UInt64 = 1 << UInt64(cell & 63)
        guard block.occupied & bit != 0 else { return [] }
        let list = Int(block.rank) + (block.occupied & (bit - 1)).nonzeroBitCount
        return items[Int(starts[list])..<Int(starts[list + 1])]
    }

    func visitCells(of segment: Segment, _ body: (Int) -> Void) {
        shape.visit(segment, reach: 0, body)
    }

    var byteCount: Int {
        blocks.count * MemoryLayout<Block>.stride + (starts.count + items.count) * MemoryLayout<UInt32>.stride
    }
}
