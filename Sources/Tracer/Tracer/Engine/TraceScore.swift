/// A score of an entire trace, in points and with reasons.
public struct TraceScore: Sendable, Hashable {
    /// The stroke of an expected path, with its grade.
    public struct PathScore: Sendable, Hashable {
        /// The share of the path that is drawn by all strokes together, 0...1.
        public let coverage: Double
        /// The index of the path's stroke, or `nil` if the path has none. A stroke belongs to at most one path. Strokes
        /// are assigned so that all of them together fit best.
        public let stroke: Int?
        /// The grade of that stroke.
        public let grade: StrokeGrade?
    }

    /// A reason for a lower score.
    public enum Reason: Sendable, Hashable {
        /// A path that is drawn only to the given share, 0 ..< 1.
        case missing(path: Int, drawn: Double)
        /// A path that is covered but has no stroke of its own, for example because the pen was not lifted.
        case joined(path: Int)
        /// A path that was drawn from its end to its start.
        case backwards(path: Int)
        /// A path that was drawn before a path that should precede it.
        case tooEarly(path: Int)
        /// A path that is drawn, but not from its start to its end, so that ordered mode still expects it.
        case outOfOrder(path: Int)
        /// A path that was drawn back and forth, with a line much longer than the path.
        case zigzag(path: Int)
        /// A path whose stroke is on the guide, but far from its center.
        case imprecise(path: Int)
        /// The number of strokes beside the letter. One accidental tap does not count.
        case besideLetter(Int)
        /// The share of the drawn lines that is off the paths.
        case offPath(Double)
        /// The number of strokes in excess of the number of paths.
        case extraStrokes(Int)
        /// Nothing was drawn.
        case nothingDrawn
    }

    /// The drawn share of the expected paths, 0...1.
    public let coverage: Double
    /// The share of the drawn lines that is on the paths, 0...1.
    public let accuracy: Double
    /// The mean distance, in thresholds, of strokes from the paths that they follow.
    public let deviation: Double
    /// The scores of the expected paths, in their order.
    public let paths: [PathScore]
    /// The reasons for a lower score, most severe first. Never empty for a trace that is not accepted.
    public let reasons: [Reason]
    /// A Boolean value that indicates whether the trace passes as a correct drawing: complete, almost entirely on the
    /// paths, each by a stroke of its own, close to their center, and without zigzags. Order and direction count in ordered mode.
    public let isAccepted: Bool
    /// The limits for an accepted trace.
    package let limits: StrokeGrade.Limits

    /// The points, 0...100: at least ``leastAcceptedPoints`` for an accepted trace, and less for any other.
    ///
    /// Coverage times accuracy, reduced by up to a fifth for lines far from the center and by a tenth for each path
    /// that is drawn backwards, too early or not on its own. A path drawn in a zigzag counts less, in proportion to its excess length.
    public var points: Int {
        let points = (100 * quality).nearestInt
        return isAccepted ? max(points, Self.leastAcceptedPoints) : min(points, Self.leastAcceptedPoints - 1)
    }

    /// The least points of an accepted trace. A trace with fewer points is not accepted.
    public static let leastAcceptedPoints = 60

    private var quality: Double {
        var value = coverage * accuracy * (1 - 0.2 * min(1, deviation))
        var faults = 0.0
        for reason in reasons {
            switch reason {
            case .backwards, .tooEarly, .joined: faults += 0.1
            case .outOfOrder: faults += 0.05
            case .besideLetter(let number): faults += 0.1 * Double(number)
            case .zigzag(let path):
                let detour = max(paths[path].grade?.detour ?? 0, 2 * limits.detour)
                value -= value / Double(paths.count) * (1 - limits.detour / detour)
            default: break
            }
        }
        return value * (1 - min(1, faults))
    }

    /// Scores the strokes that were drawn so far, by the permitted order that fits best.
    ///
    /// - Parameters:
    ///   - session: The trace.
    ///   - limits: The limits for an accepted trace, or `nil` for those of ``TraceSettings/leniency``.
    public init(_ session: TraceSession, limits: StrokeGrade.Limits? = nil) {
        let limits = limits ?? StrokeGrade.Limits(leniency: session.target.settings.leniency)
        var best = TraceScore(judging: session, limits)
        // A joined or split stroke may hide a gap in a path, so every path must be drawn as well.
        if session.isComplete, !best.isAccepted || best.hasOrderReason {
            for form in session.target.forms.lazy.compactMap({ $0 }) {
                var other = TraceSession(target: form.target)
                other.replay(session.strokes)
                let score = TraceScore(judging: other, limits)
                // A joined stroke must be drawn in one: the strokes of its parts are judged by the other orders.
                let isJoined = zip(form.strokes, score.paths).allSatisfy { steps, path in
                    steps.count == 1 || (path.grade?.coverage ?? 0) >= limits.coverage
                }
                if isJoined, score.fits(betterThan: best) {
                    best = score.numbered(as: form, of: session.pathCoverage)
                }
            }
        }
        self = best
    }

    private var hasOrderReason: Bool {
        reasons.contains { reason in
            switch reason {
            case .backwards, .tooEarly, .outOfOrder: true
            default: false
            }
        }
    }

    private func fits(betterThan other: TraceScore) -> Bool {
        if isAccepted != other.isAccepted { return isAccepted }
        return isAccepted && reasons.count < other.reasons.count
    }

    /// Returns a score of a form with the numbers of the paths that its strokes start with.
    private func numbered(as form: StrokeForm, of coverage: [Double]) -> TraceScore {
        var paths = coverage.map { PathScore(coverage: $0, stroke: nil, grade: nil) }
        for (steps, score) in zip(form.strokes, self.paths) {
            for step in steps {
                let path = step.path
                paths[path] = PathScore(coverage: coverage[path], stroke: score.stroke, grade: score.grade)
            }
        }
        let reasons = reasons.map { $0.numbered { form.strokes[$0][0].path } }
        return TraceScore(self, paths: paths, reasons: reasons)
    }

    private init(_ score: TraceScore, paths: [PathScore], reasons: [Reason]) {
        (coverage, accuracy, deviation) = (score.coverage, score.accuracy, score.deviation)
        (isAccepted, limits) = (score.isAccepted, score.limits)
        self.paths = paths
        self.reasons = reasons
    }

    /// Scores the strokes by the orders that draw every path on its own.
    private init(judging session: TraceSession, _ limits: StrokeGrade.Limits) {
        self.limits = limits
        let target = session.target
        let drawn = session.strokes.map { $0.samples.map { $0.point } }
        let rests = drawn.map { Rests.isResting($0, threshold: target.threshold) }
        let strokes = zip(drawn, rests).map { points, rests in zip(points, rests).compactMap { $1 ? nil : $0 } }
        let matches = StrokeMatching(strokes, target).matches
        let covered = session.pathCoverage
        paths = matches.enumerated().map {
            PathScore(coverage: covered[$0.offset], stroke: $0.element?.stroke, grade: $0.element?.grade)
        }
        coverage = session.completion
        let marks = StrokeMarks(session, strokes, rests: rests, matches, limits)
        accuracy = marks.accuracy
        let ways = Self.ways(strokes, matches, target, limits)
        let known = ways.compactMap { $0?.deviation }
        deviation = known.isEmpty ? 0 : known.reduce(0) { $0 + min($1, 1) } / Double(known.count)
        reasons = Self.reasons(session, matches, ways, covered, marks, limits)
        let isOrdered = target.settings.mode == .ordered
        let hasFault = reasons.contains { reason in
            switch reason {
            case .zigzag, .joined, .besideLetter: true
            case .backwards, .tooEarly: isOrdered
            case .extraStrokes: marks.hasTooManyStrokes
            case .offPath: marks.hasExcursion
            default: false
            }
        }
        isAccepted =
            session.isComplete && accuracy >= limits.insideShare && deviation <= limits.deviation && !hasFault
    }

    private typealias Match = StrokeMatching.Match
    private typealias Way = (deviation: Double, insideShare: Double)

    /// Returns, for the stroke of each path, its mean distance in thresholds from the path, and the share of the stroke
    /// that is on it. A stroke that leaves its path may continue along paths that have no stroke of their own.
    private static func ways(
        _ strokes: [[TracePoint]], _ matches: [Match?], _ target: TraceTarget, _ limits: StrokeGrade.Limits
    ) -> [Way?] {
        let others = matches.indices.filter { matches[$0] == nil }.flatMap { target.paths[$0].segments }
        return matches.enumerated().map { path, match in
            guard let match else { return nil }
            guard match.grade.insideShare < limits.insideShare, !others.isEmpty else {
                return (match.grade.deviation, match.grade.insideShare)
            }
            let stroke = TracePath(points: strokes[match.stroke])
            let follow = PathFollowing(
                stroke.segments, along: target.paths[path].segments + others, within: target.threshold)
            let inside = stroke.length > 0 ? follow.insideLength / stroke.length : 1
            return (follow.deviation / target.threshold, inside)
        }
    }

    private static func reasons(
        _ session: TraceSession, _ matches: [Match?], _ ways: [Way?], _ covered: [Double], _ marks: StrokeMarks,
        _ limits: StrokeGrade.Limits
    ) -> [Reason] {
        guard !session.lines.isEmpty else { return [.nothingDrawn] }
        let target = session.target
        var reasons: [Reason] = []
        for path in covered.indices where !target.paths[path].points.isEmpty {
            if !session.isDrawn(path) {
                // A path that is covered only by crossing strokes counts as not drawn.
                reasons.append(.missing(path: path, drawn: matches[path] == nil ? 0 : covered[path]))
            } else if matches[path].map({ $0.grade.insideShare <= 0.5 }) ?? true {
                reasons.append(.joined(path: path))
            }
        }
        reasons += orderReasons(matches, marks, target, limits.direction ?? 1)
        // The path that ordered mode still expects is a reason even if its stroke has no fault.
        if let waiting = session.expectedStep?.path, !reasons.contains(where: { $0.path == waiting }) {
            reasons.append(.outOfOrder(path: waiting))
        }
        for (path, match) in matches.enumerated() {
            let isScribbled = session.scribbledPaths.contains(path)
            let isZigzag = match?.grade.isZigzag(limits) ?? false
            if isScribbled || isZigzag || marks.isRepeated[path] { reasons.append(.zigzag(path: path)) }
        }
        for (path, way) in ways.enumerated() {
            guard let way, way.insideShare >= limits.insideShare, way.deviation > limits.deviation else { continue }
            reasons.append(.imprecise(path: path))
        }
        if marks.besideCount > 0 { reasons.append(.besideLetter(marks.besideCount)) }
        if marks.accuracy < 1 - 1e-6 { reasons.append(.offPath(1 - marks.accuracy)) }
        let surplus = session.strokes.count - target.paths.count
        if surplus > 0 { reasons.append(.extraStrokes(surplus)) }
        return reasons
    }

    /// Returns a reason for each path that was drawn backwards, not from its start to its end, or too early, for the
    /// permitted order with the fewest reasons.
    private static func orderReasons(
        _ matches: [Match?], _ marks: StrokeMarks, _ target: TraceTarget, _ limit: Double
    ) -> [Reason] {
        let found = zip(target.orders, target.forms).filter { $0.1 == nil }.map { order, _ in
            let drawn = order.steps.compactMap { step in matches[step.path].map { (step: step, match: $0) } }
            var reasons: [Reason] = []
            for (step, match) in drawn {
                if match.grade.direction * (step.isReversed ? -1 : 1) < -limit {
                    reasons.append(.backwards(path: step.path))
                } else if marks.outOfOrder.contains(step) {
                    reasons.append(.outOfOrder(path: step.path))
                }
            }
            var last = -1
            for (step, match) in drawn {
                if match.stroke < last { reasons.append(.tooEarly(path: step.path)) }
                last = max(last, match.stroke)
            }
            return reasons
        }
        return found.min { $0.count < $1.count } ?? []
    }
}

extension TraceScore.Reason {
    /// Returns the reason with other indices of paths.
    fileprivate func numbered(_ number: (Int) -> Int) -> Self {
        switch self {
        case .missing(let path, let drawn): .missing(path: number(path), drawn: drawn)
        case .joined(let path): .joined(path: number(path))
        case .backwards(let path): .backwards(path: number(path))
        case .tooEarly(let path): .tooEarly(path: number(path))
        case .outOfOrder(let path): .outOfOrder(path: number(path))
        case .zigzag(let path): .zigzag(path: number(path))
        case .imprecise(let path): .imprecise(path: number(path))
        case .besideLetter, .offPath, .extraStrokes, .nothingDrawn: self
        }
    }
}

extension TraceScore.Reason: CustomStringConvertible {
    /// The index of the path, or `nil` for a reason about the entire trace.
    public var path: Int? {
        switch self {
        case .missing(let path, _), .joined(let path), .backwards(let path), .tooEarly(let path), .outOfOrder(let path),
            .zigzag(let path), .imprecise(let path):
            path
        case .besideLetter, .offPath, .extraStrokes, .nothingDrawn: nil
        }
    }

    /// The reason as a sentence, with strokes numbered from one.
    public var description: String {
        func percent(_ share: Double) -> Int { max(1, (share * 100).nearestInt) }
        return switch self {
        case .missing(let path, 0): "Stroke \(path + 1) is missing."
        case .missing(let path, let drawn): "Stroke \(path + 1) is only drawn to \(min(99, percent(drawn))) percent."
        case .joined(let path): "Stroke \(path + 1) was not drawn on its own."
        case .backwards(let path): "Stroke \(path + 1) was drawn from its end to its start."
        case .tooEarly(let path): "Stroke \(path + 1) was drawn too early."
        case .outOfOrder(let path): "Stroke \(path + 1) was not drawn from its start to its end."
        case .zigzag(let path): "Stroke \(path + 1) goes back and forth."
        case .imprecise(let path): "Stroke \(path + 1) is far from the middle of the guide."
        case .besideLetter(1): "A stroke is beside the letter."
        case .besideLetter(let number): "\(number) strokes are beside the letter."
        case .offPath(let share): "\(percent(share)) percent of the line is beside the letter."
        case .extraStrokes(1): "The pen came down once more than needed."
        case .extraStrokes(let number): "The pen came down \(number) times more than needed."
        case .nothingDrawn: "Nothing was drawn."
        }
    }
}
