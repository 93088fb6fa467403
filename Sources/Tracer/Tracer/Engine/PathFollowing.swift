/// A comparison of a stroke, move by move, with the pieces of a path.
struct PathFollowing {
    /// The length of the path that is within the threshold of the stroke.
    private(set) var coveredLength = 0.0
    /// The length of the stroke that is within the threshold of the path.
    private(set) var insideLength = 0.0
    /// The mean distance of the midpoints of the moves from the path, weighted by length.
    private(set) var deviation = 0.0
    private(set) var largestDeviation = 0.0
    /// The direction, from -1 for a stroke against the path to 1 for a stroke along it.
    private(set) var direction = 0.0
    /// The progress along the path, -1...1. It is 1 for a stroke that never goes back, 0 for a stroke that goes back
    /// half of the time, and -1 for a stroke against the path.
    private(set) var progress = 0.0
    /// A Boolean value that indicates whether a part of the stroke is within the threshold.
    private(set) var isTouched = false

    private let pieces: [Segment]
    private let threshold: Double
    private let prepared: [PathIndex.Piece]
    /// The distance of the start of each piece along the path.
    private let starts: [Double]
    /// The largest difference of distances that count as about equal.
    private let spread: Double
    private var covered: [IntervalSet]
    private var weights = 0.0
    private var forward = Heading(isForward: true)
    private var backward = Heading(isForward: false)
    /// The positions along the path that are about as near to a move as the nearest position.
    private var candidates: [(distance: Double, position: Double)] = []

    /// Compares `moves` with `pieces`. Neither may be empty.
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
        spread = min(threshold / 2, total / 8)
        covered = Array(repeating: IntervalSet(), count: pieces.count)
        for move in moves { follow(move) }
        deviation /= weights
        let ends = Self.agreement(moves, pieces)
        // For a stroke that begins elsewhere on a closed path, or covers only a part, the progress decides.
        progress = abs(backward.direction) > abs(forward.direction) ? backward.direction : forward.direction
        direction = abs(ends) >= 0.5 ? ends : progress
    }

    /// Returns 1 if points at the same share of the lengths are near each other, -1 if they are nearer for the reversed
    /// stroke, and 0 if neither is nearer.
    private static func agreement(_ moves: [Segment], _ pieces: [Segment]) -> Double {
        guard let stroke = places(along: moves), let path = places(along: pieces) else { return 0 }
        let forward = zip(stroke, path).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        let backward = zip(stroke.reversed(), path).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        return forward + backward > 0 ? (backward - forward) / (backward + forward) : 0
    }

    /// Returns evenly spaced points along a line, or `nil` if the line has no length.
    private static func places(along segments: [Segment]) -> [TracePoint]? {
        let count = 17
        let step = segments.reduce(0) { $0 + $1.length } / Double(count - 1)
        guard step > 0 else { return nil }
        var places: [TracePoint] = []
        var position = 0.0
        for segment in segments {
            let length = segment.length
            while places.count < count, Double(places.count) * step <= position + length, length > 0 {
                places.append(segment.point(at: (Double(places.count) * step - position) / length))
            }
            position += length
        }
        // A rounding error may omit the end.
        while let last = segments.last, places.count < count { places.append(last.end) }
        return places
    }

    private mutating func follow(_ move: Segment) {
        let length = move.length
        let middle = move.point(at: 0.5)
        let reach = threshold + length / 2
        var inside = IntervalSet()
        var nearest = 0
        var least = Double.infinity
        candidates.removeAll(keepingCapacity: true)
        for (index, piece) in prepared.enumerated() {
            let squared = piece.squaredDistance(to: middle)
            if squared < least { (nearest, least) = (index, squared) }
            if squared <= threshold * threshold { addCandidate(index, middle, squared) }
            // Pieces that are farther away cannot be within the threshold.
            if squared <= reach * reach { cover(index, with: move, inside: &inside) }
        }
        insideLength += inside.measure * length
        deviate(by: least.squareRoot(), length: length)
        // On a path that is short compared with the threshold, any position would be possible.
        let limit = least.squareRoot() + spread
        candidates.removeAll { $0.distance > limit }
        if candidates.isEmpty { addCandidate(nearest, middle, least) }
        forward.advance(by: length, to: candidates, threshold)
        backward.advance(by: length, to: candidates, threshold)
    }

    private mutating func addCandidate(_ index: Int, _ point: TracePoint, _ squaredDistance: Double) {
        let position = starts[index] + pieces[index].nearestShare(to: point) * pieces[index].length
        candidates.append((squaredDistance.squareRoot(), position))
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
}

/// The progress of a stroke along a path, under the assumption that the stroke goes forward or backward.
///
/// Where the path closes, crosses itself or turns back, several positions are near the pen. The assumption decides
/// between them: the best position is the one that the pen reaches if it continues in its direction.
private struct Heading {
    private let isForward: Bool
    private var position: Double?
    private var lengthForward = 0.0
    private var lengthBackward = 0.0

    init(isForward: Bool) { self.isForward = isForward }

    /// The direction, from -1 for a stroke against the path to 1 for a stroke along it.
    var direction: Double {
        let total = lengthForward + lengthBackward
        return total > 0 ? (lengthForward - lengthBackward) / total : 0
    }

    /// Advances to one of the positions along the path.
    mutating func advance(by length: Double, to candidates: [(distance: Double, position: Double)], _ threshold: Double)
    {
        guard let last = position else {
            let positions = candidates.lazy.map { $0.position }
            position = isForward ? positions.min() : positions.max()
            return
        }
        let expected = isForward ? last + length : last - length
        guard let next = candidates.min(by: { abs($0.position - expected) < abs($1.position - expected) })?.position
        else { return }
        // A larger difference is a jump between parts of the path, and no progress.
        if abs(next - last) <= 2 * (length + threshold) {
            if next > last { lengthForward += next - last } else { lengthBackward += last - next }
        }
        position = next
    }
}
