/// What comes of going along a stroke, move by move, beside the pieces of a path.
struct PathFollowing {
    /// Of the path, with the pen within the threshold.
    private(set) var coveredLength = 0.0
    /// Of the stroke, within the threshold.
    private(set) var insideLength = 0.0
    /// The mean distance of the moves' middles from the path.
    private(set) var deviation = 0.0
    private(set) var largestDeviation = 0.0
    /// From 1, along the path all the way, to -1, against it.
    private(set) var direction = 0.0
    /// Some of the stroke is within the threshold.
    private(set) var isTouched = false

    private let pieces: [Segment]
    private let threshold: Double
    private let prepared: [PathIndex.Piece]
    /// Where each piece begins, along the path.
    private let starts: [Double]
    private var covered: [IntervalSet]
    private var weights = 0.0
    private var forward = 0.0
    private var backward = 0.0
    private var place: Double?

    /// Neither `moves` nor `pieces` may be empty.
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
            // One move has one middle; its two ends tell the direction.
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
            // Other pieces cannot be reached at all.
            if squared <= reach * reach { cover(index, with: move, inside: &inside) }
        }
        insideLength += inside.measure * length
        deviate(by: least.squareRoot(), length: length)
        advance(to: starts[nearest] + pieces[nearest].nearestShare(to: middle) * pieces[nearest].length)
    }

    /// Notes what of a piece the move covers, and what of the move is inside.
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
        // A tap has no length and yet a place.
        let weight = max(length, threshold * 1e-6)
        deviation += distance * weight
        weights += weight
        largestDeviation = max(largestDeviation, distance)
    }

    private mutating func advance(to position: Double) {
        if let place { if position > place { forward += position - place } else { backward += place - position } }
        place = position
    }
}
