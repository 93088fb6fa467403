/// A grade of how well a drawn stroke follows an expected path.
public struct StrokeGrade: Sendable, Hashable {
    /// The share of the path that is within the threshold of the stroke, 0...1.
    public let coverage: Double
    /// The share of the stroke that is within the threshold of the path, 0...1.
    package let insideShare: Double
    /// The mean distance of the stroke from the path, in thresholds: 0 is the center of the guide, 1 is its edge.
    public let deviation: Double
    /// The largest distance of the stroke from the path, in thresholds.
    public let largestDeviation: Double
    /// The ratio of the length of the stroke to the length of the path that it covers: 1 for a straight stroke, more
    /// for a zigzag. A tremor within half the threshold and a resting finger add no length. The ratio of a dot is always 1.
    public let detour: Double
    /// The direction, from -1 for a stroke against the path to 1 for a stroke along it. It is 0 if the path or the
    /// stroke has no length.
    public let direction: Double
    /// The addition to the largest detour of a stroke that is short compared with the threshold and makes progress
    /// along the path. A few gentle waves are much longer than such a stroke.
    let waves: Double
    /// The length of the path in thresholds.
    let span: Double

    /// The limits for an accepted stroke.
    public struct Limits: Sendable, Hashable {
        /// The least share of the path that must be covered, 0...1.
        public var coverage = 0.9
        /// The least share of the stroke within the threshold, 0...1.
        public var insideShare = 0.9
        /// The largest mean distance from the path, in thresholds.
        public var deviation = 0.6
        /// The largest ratio of the drawn length to the covered length. Strokes that are short compared with the
        /// threshold and make progress along the path may have a larger ratio, up to 0.4 more at ten thresholds.
        public var detour = 1.5
        /// The largest direction against the path, 0...1, or `nil` to accept both directions.
        public var direction: Double? = 0.5

        /// The largest product of the detour above 1 and the mean distance from the path. Waves from edge to edge that are
        /// shorter than four thresholds have more, and a hand that sways has half of it.
        fileprivate var sway: Double { 0.22 * (detour - 1) }

        /// The largest length off the paths in one go, in thresholds: the permitted share of 20 thresholds.
        var excursion: Double { 20 * (1 - insideShare) }

        /// Creates the default limits, which are those for a leniency of one half.
        public init() {}

        /// Creates limits for a leniency from 0 for strict to 1 for generous. Other values count as the nearest of them.
        public init(leniency: Double) {
            let change = (leniency > 0 ? min(leniency, 1) : 0) - 0.5
            coverage -= 0.1 * change
            insideShare -= 0.1 * change
            deviation += 0.4 * change
            detour += 0.5 * change
        }
    }

    /// A reason not to accept a stroke.
    package enum Fault: String, Sendable, Hashable, Codable, CaseIterable {
        /// Too little of the path is drawn.
        case incomplete
        /// Too much of the stroke is off the path.
        case offPath
        /// The stroke is on the path, but far from its center.
        case imprecise
        /// The stroke is much longer than the part of the path that it covers, by more than gentle waves need.
        case zigzag
        /// The stroke was drawn from the path's end to its start.
        case backwards
    }

    /// Grades a stroke.
    ///
    /// - Parameters:
    ///   - stroke: The points of the stroke. Unusable points are ignored.
    ///   - path: The expected path.
    ///   - threshold: Half the width of the guide, greater than zero.
    package init(stroke: [TracePoint], path: TracePath, threshold: Double) {
        let points = stroke.filter { $0.isUsable }
        let pieces = path.points.allSatisfy { $0.isUsable } ? path.segments : []
        guard threshold > 0, threshold <= TracePoint.largestCoordinate, !points.isEmpty, !pieces.isEmpty else {
            self.init(
                coverage: 0, insideShare: 0, deviation: .infinity, largestDeviation: .infinity, detour: 1, direction: 0,
                waves: 0, span: 0)
            return
        }
        let moves = TracePath(points: points).segments
        let follow = PathFollowing(moves, along: pieces, within: threshold)
        let pathLength = path.length
        let drawnLength = TracePath(points: points).length
        let covered = pathLength > 0 ? follow.coveredLength / pathLength : follow.isTouched ? 1 : 0
        self.init(
            coverage: min(1, covered),
            insideShare: drawnLength > 0 ? min(1, follow.insideLength / drawnLength) : follow.isTouched ? 1 : 0,
            deviation: follow.deviation / threshold, largestDeviation: follow.largestDeviation / threshold,
            detour: pathLength > 0 ? Self.steadyLength(moves, threshold) / max(pathLength * covered, threshold) : 1,
            direction: follow.direction,
            waves: abs(follow.progress) > 0.5 ? min(0.4, 4 * threshold / max(pathLength, threshold)) : 0,
            span: pathLength / threshold)
    }

    /// Returns the length of a stroke without tremor.
    private static func steadyLength(_ moves: [Segment], _ threshold: Double) -> Double {
        guard let first = moves.first, let last = moves.last else { return 0 }
        var dividers = Dividers(span: TraceTarget.wobble(threshold), at: first.start)
        let steps = moves.reduce(0) { $0 + dividers.walk(along: $1).length }
        return steps + dividers.rest(to: last.end)
    }

    private init(
        coverage: Double, insideShare: Double, deviation: Double, largestDeviation: Double, detour: Double,
        direction: Double, waves: Double, span: Double
    ) {
        self.coverage = coverage
        self.insideShare = insideShare
        self.deviation = deviation
        self.largestDeviation = largestDeviation
        self.detour = detour
        self.direction = direction
        self.waves = waves
        self.span = span
    }

    /// Returns a Boolean value that indicates whether the stroke goes back and forth, or waves from edge to edge. Parts
    /// off the path are no detour.
    func isZigzag(_ limits: Limits) -> Bool {
        let detour = detour * insideShare
        // A stroke of a few thresholds has room for hardly more than one wave.
        let sways = span > 5 && (detour - 1) * min(deviation, 1) > limits.sway
        return sways || !(detour <= limits.detour + waves)
    }

    /// Returns the reasons not to accept the stroke, most severe first, or an empty array for an accepted stroke.
    package func faults(_ limits: Limits = Limits()) -> [Fault] {
        var faults: [Fault] = []
        if let least = limits.direction, coverage > 0, direction < -least { faults.append(.backwards) }
        if !(insideShare >= limits.insideShare) { faults.append(.offPath) }
        if !(coverage >= limits.coverage) { faults.append(.incomplete) }
        if isZigzag(limits) { faults.append(.zigzag) }
        if insideShare >= limits.insideShare, !(deviation <= limits.deviation) { faults.append(.imprecise) }
        return faults
    }
}
