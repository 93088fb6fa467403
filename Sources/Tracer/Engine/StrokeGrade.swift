/// How well one drawn stroke follows one expected path, judged as a whole.
public struct StrokeGrade: Sendable, Hashable {
    /// The share of the path with the pen within the threshold, 0...1.
    public let coverage: Double
    /// The share of the drawn way within the threshold, 0...1.
    public let insideShare: Double
    /// The mean distance of the drawn way from the path, in thresholds: 0 is its middle, 1 the edge of the guide.
    public let deviation: Double
    /// The largest distance, in thresholds.
    public let largestDeviation: Double
    /// Drawn length over the length of what it covers; 1 is straight along, a zigzag has more.
    public let detour: Double
    /// From 1, along the path all the way, to -1, against it; 0 for a path or a stroke without length.
    public let direction: Double

    /// What an accepted stroke reaches.
    public struct Limits: Sendable, Hashable {
        /// The least share of the path, 0...1.
        public var coverage = 0.9
        /// The least share of the drawn way within the threshold, 0...1.
        public var insideShare = 0.9
        /// The largest mean distance from the path, in thresholds.
        public var deviation = 0.6
        /// The largest ratio of drawn to covered length.
        public var detour = 1.5
        /// Nil accepts both directions.
        public var direction: Double? = 0.5

        /// The usual limits.
        public init() {}
    }

    /// Why a stroke is not accepted.
    public enum Fault: String, Sendable, Hashable, Codable, CaseIterable {
        /// Too little of the path is drawn.
        case incomplete
        /// Too much of the way is beside the path.
        case offPath
        /// On the path, but far from its middle.
        case imprecise
        /// Much longer than what it covers.
        case zigzag
        /// Drawn from the path's end to its start.
        case backwards
    }

    /// - Parameters:
    ///   - stroke: The places of the pen; those that are not usable are left out.
    ///   - path: The expected path.
    ///   - threshold: Half the width of the guide, above zero.
    public init(stroke: [Point], path: Path, threshold: Double) {
        let points = stroke.filter(\.isUsable)
        let pieces = path.points.allSatisfy(\.isUsable) ? path.segments : []
        guard threshold > 0, threshold <= Point.largestCoordinate, !points.isEmpty, !pieces.isEmpty else {
            self.init(
                coverage: 0, insideShare: 0, deviation: .infinity, largestDeviation: .infinity, detour: 1, direction: 0)
            return
        }
        let moves = Path(points: points).segments
        let follow = Following(moves, pieces, threshold)
        let pathLength = path.length
        let drawnLength = Path(points: points).length
        let covered = pathLength > 0 ? follow.coveredLength / pathLength : follow.isTouched ? 1 : 0
        self.init(
            coverage: min(1, covered),
            insideShare: drawnLength > 0 ? min(1, follow.insideLength / drawnLength) : follow.isTouched ? 1 : 0,
            deviation: follow.deviation / threshold, largestDeviation: follow.largestDeviation / threshold,
            detour: drawnLength / max(pathLength * covered, threshold), direction: follow.direction)
    }

    private init(
        coverage: Double, insideShare: Double, deviation: Double, largestDeviation: Double, detour: Double,
        direction: Double
    ) {
        self.coverage = coverage
        self.insideShare = insideShare
        self.deviation = deviation
        self.largestDeviation = largestDeviation
        self.detour = detour
        self.direction = direction
    }

    /// What is wrong with the stroke, the gravest first; empty for an accepted one.
    public func faults(_ limits: Limits = Limits()) -> [Fault] {
        var faults: [Fault] = []
        if let least = limits.direction, coverage > 0, direction < -least { faults.append(.backwards) }
        if !(insideShare >= limits.insideShare) { faults.append(.offPath) }
        if !(coverage >= limits.coverage) { faults.append(.incomplete) }
        if !(detour <= limits.detour) { faults.append(.zigzag) }
        if insideShare >= limits.insideShare, !(deviation <= limits.deviation) { faults.append(.imprecise) }
        return faults
    }
}

/// One walk along a stroke, piece by piece of the path.
private struct Following {
    var coveredLength = 0.0
    var insideLength = 0.0
    var deviation = 0.0
    var largestDeviation = 0.0
    var direction = 0.0
    var isTouched = false

    init(_ moves: [Segment], _ pieces: [Segment], _ threshold: Double) {
        let prepared = pieces.map { PathIndex.Piece($0) }
        var starts: [Double] = []
        var total = 0.0
        for piece in pieces {
            starts.append(total)
            total += piece.length
        }
        var covered = Array(repeating: IntervalSet(), count: pieces.count)
        var forward = 0.0
        var backward = 0.0
        var weights = 0.0
        var place: Double?
        var distances = Array(repeating: 0.0, count: pieces.count)
        for move in moves {
            let length = move.length
            let middle = move.point(at: 0.5)
            var nearest = 0
            for (index, piece) in prepared.enumerated() {
                distances[index] = piece.squaredDistance(to: middle)
                if distances[index] < distances[nearest] { nearest = index }
            }
            // The share inside and the covered parts, from the pieces that the move can reach at all.
            var inside = IntervalSet()
            let reach = threshold + length / 2
            for (index, piece) in pieces.enumerated() where distances[index] <= reach * reach {
                guard let part = move.part(within: threshold, of: piece) else { continue }
                isTouched = true
                if !inside.isWhole { inside.insert(part) }
                if !covered[index].isWhole, let share = piece.part(within: threshold, of: move) {
                    coveredLength += covered[index].insert(share) * piece.length
                }
            }
            insideLength += inside.measure * length
            let distance = distances[nearest].squareRoot()
            let weight = max(length, threshold * 1e-6)
            deviation += distance * weight
            weights += weight
            largestDeviation = max(largestDeviation, distance)
            let position = starts[nearest] + pieces[nearest].nearestShare(to: middle) * pieces[nearest].length
            if let place { if position > place { forward += position - place } else { backward += place - position } }
            place = position
        }
        deviation /= weights
        if let first = moves.first, moves.count == 1, total > 0 {
            // One move has one middle; its two ends tell the direction.
            forward = max(0, first.direction.dot(pieces[0].direction))
            backward = max(0, -first.direction.dot(pieces[0].direction))
        }
        if forward + backward > 0 { direction = (forward - backward) / (forward + backward) }
    }
}
