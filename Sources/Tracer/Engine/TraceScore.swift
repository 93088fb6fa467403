/// How well a trace went, in numbers and in words.
public struct TraceScore: Sendable, Hashable {
    /// The best of the user's strokes for one expected path.
    public struct PathScore: Sendable, Hashable {
        /// The drawn share, 0...1, by all strokes together.
        public let coverage: Double
        /// The user's stroke that follows the path best; nil if none comes near.
        public let stroke: Int?
        /// The grade of that stroke.
        public let grade: StrokeGrade?
    }

    /// Something to say about the trace.
    public enum Reason: Sendable, Hashable {
        /// A path of which only this share is drawn, 0 ..< 1.
        case missing(path: Int, drawn: Double)
        /// A path that was drawn from its end to its start.
        case backwards(path: Int)
        /// A path that was drawn before one that should come first.
        case tooEarly(path: Int)
        /// A path that ordered mode still waits for, though all of it is drawn: not from its start to its end.
        case outOfOrder(path: Int)
        /// A path that was drawn to and fro, with much more line than it is long.
        case zigzag(path: Int)
        /// A path whose stroke stays on the guide, but far from its middle.
        case imprecise(path: Int)
        /// The share of the drawn way that is off the paths.
        case offPath(Double)
        /// More strokes than paths, by this number.
        case extraStrokes(Int)
        /// Nothing was drawn at all.
        case nothingDrawn
    }

    /// The drawn share of what was to be drawn, 0...1.
    public let coverage: Double
    /// The share of the drawn way that is on the paths, 0...1.
    public let accuracy: Double
    /// The mean distance from the paths, in thresholds, of the strokes that follow one.
    public let deviation: Double
    /// One for each expected path, in their order.
    public let paths: [PathScore]
    /// The gravest first; empty for a trace without fault, never for one that is not accepted.
    public let reasons: [Reason]
    /// Whether this passes as a correct drawing: complete, hardly anything beside the paths, close to their middle, and
    /// no stroke to and fro. Order and direction count in ordered mode.
    public let isAccepted: Bool

    /// 0...100: coverage times accuracy, less up to a fifth for lines far from the middle, less a tenth for every path
    /// that is drawn backwards or too early. A zigzag counts for as much less as it is longer than it may be.
    public var points: Int {
        var value = coverage * accuracy * (1 - 0.2 * min(1, deviation))
        var faults = 0.0
        for reason in reasons {
            switch reason {
            case .backwards, .tooEarly: faults += 0.1
            case .zigzag(let path):
                let detour = max(paths[path].grade?.detour ?? 0, 2 * StrokeGrade.Limits().detour)
                value -= value / Double(paths.count) * (1 - StrokeGrade.Limits().detour / detour)
            default: break
            }
        }
        value *= 1 - min(1, faults)
        return (100 * value).nearestInt
    }

    /// Judges what was drawn so far.
    public init(_ session: TraceSession) {
        let target = session.target
        let threshold = target.settings.threshold
        let strokes = session.strokes.map { $0.samples.map(\.point) }
        let graded = Self.match(strokes, target)
        let alone = Self.alone(graded)
        let covered = session.pathCoverage
        paths = graded.enumerated().map {
            PathScore(coverage: covered[$0.offset], stroke: $0.element?.stroke, grade: $0.element?.grade)
        }
        coverage = session.completion
        let lengths = session.lines.map { max($0.segment.length, threshold * 1e-6) }
        let total = lengths.reduce(0, +)
        let inside = zip(session.lines, lengths).reduce(0) { $0 + $1.0.insideShare * $1.1 }
        accuracy = total > 0 ? min(1, inside / total) : 0
        let ways = Self.ways(strokes, graded, alone, target)
        let known = ways.compactMap { $0?.deviation }
        deviation = known.isEmpty ? 0 : known.reduce(0) { $0 + min($1, 1) } / Double(known.count)
        reasons = Self.reasons(session, graded, alone, ways, covered, accuracy: accuracy)
        let limits = StrokeGrade.Limits()
        let goesToAndFro = reasons.contains { if case .zigzag = $0 { true } else { false } }
        isAccepted =
            session.isComplete && accuracy >= limits.insideShare && deviation <= limits.deviation && !goesToAndFro
    }

    private typealias Match = (stroke: Int, grade: StrokeGrade)
    private typealias Way = (deviation: Double, insideShare: Double)

    /// For each path the stroke that covers most of it; one stroke may follow several paths.
    private static func match(_ strokes: [[Point]], _ target: TraceTarget) -> [Match?] {
        target.paths.map { path in
            guard !path.points.isEmpty else { return nil }
            var best: Match?
            for (number, stroke) in strokes.enumerated() {
                let grade = StrokeGrade(stroke: stroke, path: path, threshold: target.settings.threshold)
                if follows(grade), grade.coverage > (best?.grade.coverage ?? 0) { best = (number, grade) }
            }
            return best
        }
    }

    /// Whether a stroke was meant for the path: one that only crosses it covers some of it, too.
    private static func follows(_ grade: StrokeGrade) -> Bool {
        grade.insideShare > 0.5 || grade.coverage > 0.6 || (grade.insideShare > 0.25 && grade.coverage > 0.25)
    }

    /// The matches of strokes that follow one path only: direction, order and detours can be told apart only there.
    private static func alone(_ graded: [Match?]) -> [Match?] {
        let use = Dictionary(grouping: graded.compactMap { $0?.stroke }, by: { $0 }).mapValues(\.count)
        return graded.map { match in match.flatMap { use[$0.stroke] == 1 ? $0 : nil } }
    }

    /// How near each path's stroke is to all the paths that it follows: the mean distance in thresholds, and the share of
    /// it that is on them.
    private static func ways(
        _ strokes: [[Point]], _ graded: [Match?], _ alone: [Match?], _ target: TraceTarget
    ) -> [Way?] {
        graded.indices.map { path in
            guard let match = graded[path] else { return nil }
            if alone[path] != nil { return (match.grade.deviation, match.grade.insideShare) }
            let followed = graded.indices.filter { graded[$0]?.stroke == match.stroke }
            let stroke = Path(points: strokes[match.stroke])
            let follow = PathFollowing(
                stroke.segments, along: followed.flatMap { target.paths[$0].segments },
                within: target.settings.threshold)
            let inside = stroke.length > 0 ? follow.insideLength / stroke.length : 1
            return (follow.deviation / target.settings.threshold, inside)
        }
    }

    private static func reasons(
        _ session: TraceSession, _ graded: [Match?], _ alone: [Match?], _ ways: [Way?],
        _ covered: [Double], accuracy: Double
    ) -> [Reason] {
        guard !session.lines.isEmpty else { return [.nothingDrawn] }
        let limits = StrokeGrade.Limits()
        let target = session.target
        var reasons: [Reason] = []
        for path in covered.indices where covered[path] < target.settings.requiredCoverage {
            // What crossing strokes happened to cover does not make a stroke.
            reasons.append(.missing(path: path, drawn: graded[path] == nil ? 0 : covered[path]))
        }
        for (path, match) in alone.enumerated() {
            guard let grade = match?.grade else { continue }
            if grade.direction < -(limits.direction ?? 0) { reasons.append(.backwards(path: path)) }
        }
        reasons += orderReasons(alone.map { $0?.stroke }, target)
        // Whatever the strokes say one by one: the path at which ordered mode stopped is named.
        if let waiting = session.expectedStep?.path, !reasons.contains(where: { $0.path == waiting }) {
            reasons.append(.outOfOrder(path: waiting))
        }
        for (path, match) in alone.enumerated() {
            let isScribbled = session.scribbledPaths.contains(path)
            let hasDetour = match.map { $0.grade.detour > limits.detour } ?? false
            if isScribbled || hasDetour { reasons.append(.zigzag(path: path)) }
        }
        for (path, way) in ways.enumerated() {
            guard let way, way.insideShare >= limits.insideShare, way.deviation > limits.deviation else { continue }
            reasons.append(.imprecise(path: path))
        }
        if accuracy < 1 - 1e-6 { reasons.append(.offPath(1 - accuracy)) }
        let surplus = session.strokes.count - target.paths.count
        if surplus > 0 { reasons.append(.extraStrokes(surplus)) }
        return reasons
    }

    /// Paths drawn before one that comes earlier, in the permitted order that fits best.
    private static func orderReasons(_ strokeOfPath: [Int?], _ target: TraceTarget) -> [Reason] {
        let found = target.orders.map { order in
            let drawn = order.steps.compactMap { step in strokeOfPath[step.path].map { (path: step.path, stroke: $0) } }
            return drawn.indices.filter { index in
                drawn[..<index].contains { $0.stroke > drawn[index].stroke }
            }.map { Reason.tooEarly(path: drawn[$0].path) }
        }
        return found.min { $0.count < $1.count } ?? []
    }
}

extension TraceScore.Reason: CustomStringConvertible {
    /// The path it is about; nil for what is about the whole trace.
    public var path: Int? {
        switch self {
        case .missing(let path, _), .backwards(let path), .tooEarly(let path), .outOfOrder(let path),
            .zigzag(let path), .imprecise(let path):
            path
        case .offPath, .extraStrokes, .nothingDrawn: nil
        }
    }

    /// A sentence for a person; strokes are counted from one.
    public var description: String {
        func percent(_ share: Double) -> Int { max(1, (share * 100).nearestInt) }
        return switch self {
        case .missing(let path, 0): "Stroke \(path + 1) is missing."
        case .missing(let path, let drawn): "Stroke \(path + 1) is only drawn to \(min(99, percent(drawn))) percent."
        case .backwards(let path): "Stroke \(path + 1) was drawn from its end to its start."
        case .tooEarly(let path): "Stroke \(path + 1) was drawn too early."
        case .outOfOrder(let path): "Stroke \(path + 1) was not drawn from its start to its end."
        case .zigzag(let path): "Stroke \(path + 1) goes to and fro."
        case .imprecise(let path): "Stroke \(path + 1) is far from the middle of the guide."
        case .offPath(let share): "\(percent(share)) percent of the line is beside the letter."
        case .extraStrokes(1): "The pen came down once more than needed."
        case .extraStrokes(let number): "The pen came down \(number) times more than needed."
        case .nothingDrawn: "Nothing was drawn."
        }
    }
}
