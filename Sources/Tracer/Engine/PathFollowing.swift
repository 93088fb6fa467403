/// Compares a stroke, move by move, with the pieces of a path.
struct PathFollowing {
    /// The length of the path that is within the threshold of the stroke.
    private(set) var coveredLength = 0.0
    /// The length of the stroke that is within the threshold of the path.
    private(set) var insideLength = 0.0
    /// The mean distance of the midpoints of the moves from the path, weighted by length.
    private(set) var deviation = 0.0
    private(set) var largestDeviation = 0.0
    /// The direction, from 1 for a stroke along the path to -1 for one against it.
    private(set) var direction = 0.0
    /// A Boolean value that indicates whether some of the stroke is within the threshold.
    private(set) var isTouched = false

    private let pieces: [Segment]
    private let threshold: Double
    private let prepared: [PathIndex.Piece]
    /// The distance of the start of each piece along the path.
    private let starts: [Double]
    private var covered: [IntervalSet]
    private var weights = 0.0
    private var forward = 0.0
    private var backward = 0.0
    private var position: Double?

    /// Compares `moves` with `pieces`; neither may be empty.
    init(_ moves: [Segment], along pieces: [Segment], within threshold: Double) {
        self.pieces = pieces
        self.threshold = threshold
        prepared = pieces.map { PathIndex.Piece($0) }
        var starts: [Double] = []
        var total = 0.0
        for piece in pieces {
            starts.append(total)
            total += piece.length
        }
        self.starts = starts
        covered = Array(repeating: IntervalSet(), count: pieces.count)
        for move in moves { follow(move) }
        deviation /= weights
        if let first = moves.first, moves.count == 1, total > 0 {
            // A single move has a single midpoint, so its own direction is used.
            forward = max(0, first.direction.dot(pieces[0].direction))
            backward = max(0, -first.direction.dot(pieces[0].direction))
        }
        if forward + backward > 0 { direction = (forward - backward) / (forward + backward) }
    }

    private mutating func follow(_ move: Segment) {
        let length = move.length
        let middle = move.point(at: 0.5)
        let reach = threshold + length / 2
        var inside = IntervalSet()
        var nearest = 0
        var least = Double.infinity
        for (index, piece) in prepared.enumerated() {
            let squared = piece.squaredDistance(to: middle)
            if squared < least { (nearest, least) = (index, squared) }
            // Pieces that are farther away cannot be within the threshold.
            if squared <= reach * reach { cover(index, with: move, inside: &inside) }
        }
        insideLength += inside.measure * length
        deviate(by: least.squareRoot(), length: length)
        advance(to: starts[nearest] + pieces[nearest].nearestShare(to: middle) * pieces[nearest].length)
    }

    /// Adds the part of a piece that the move covers, and the part of the move within the threshold.
    private mutating func cover(_ index: Int, with move: Segment, inside: inout IntervalSet) {
        let piece = pieces[index]
        guard let part = move.part(within: threshold, of: piece) else { return }
        isTouched = true
        if !inside.isWhole { inside.insert(part) }
        if !covered[index].isWhole, let share = piece.part(within: threshold, of: move) {
            coveredLength += covered[index].insert(share) * piece.length
        }
    }

    private mutating func deviate(by distance: Double, length: Double) {
        // A tap has no length but must have a weight.
        let weight = max(length, threshold * 1e-6)
        deviation += distance * weight
        weights += weight
        largestDeviation = max(largestDeviation, distance)
    }

    private mutating func advance(to next: Double) {
        if let position { if next > position { forward += next - position } else { backward += position - next } }
        position = next
    }
}
