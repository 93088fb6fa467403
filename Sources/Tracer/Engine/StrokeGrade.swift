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
    /// Drawn length over the length of what it covers; 1 is straight along, a zigzag has more. What a hand trembles by,
    /// less than a tenth of the threshold, makes it no longer; a dot may be filled in at will and has 1.
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
        let follow = PathFollowing(moves, along: pieces, within: threshold)
        let pathLength = path.length
        let drawnLength = Path(points: points).length
        let covered = pathLength > 0 ? follow.coveredLength / pathLength : follow.isTouched ? 1 : 0
        self.init(
            coverage: min(1, covered),
            insideShare: drawnLength > 0 ? min(1, follow.insideLength / drawnLength) : follow.isTouched ? 1 : 0,
            deviation: follow.deviation / threshold, largestDeviation: follow.largestDeviation / threshold,
            detour: pathLength > 0 ? Self.steadyLength(moves, threshold) / max(pathLength * covered, threshold) : 1,
            direction: follow.direction)
    }

    /// The length of a way, but for what the hand trembled.
    private static func steadyLength(_ moves: [Segment], _ threshold: Double) -> Double {
        guard let first = moves.first, let last = moves.last else { return 0 }
        var dividers = Dividers(span: TraceSettings.wobble(threshold), at: first.start)
        let steps = moves.reduce(0) { $0 + dividers.walk(along: $1).length }
        return steps + dividers.rest(to: last.end)
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
