/// The marks of a trace that no grade of a single stroke shows: strokes beside the letter, strokes in excess, and parts
/// that are drawn again or the other way round.
struct StrokeMarks {
    /// The share of the drawn lines that is on the paths, 0...1.
    let accuracy: Double
    /// A Boolean value that indicates whether a stroke is too long off the paths in one go, for example because it closes
    /// the gap of a c.
    let hasExcursion: Bool
    /// The number of strokes beside the letter, without one accidental tap.
    let besideCount: Int
    /// A Boolean value that indicates whether the pen came down so often that the lines are hatching or dots.
    let hasTooManyStrokes: Bool
    /// A Boolean value for each path that indicates whether too much line goes to and fro over it.
    let isRepeated: [Bool]
    /// The steps whose path is mostly covered by one stroke, but not from its start to its end.
    let outOfOrder: Set<StrokeOrder.Step>

    /// - Parameters:
    ///   - strokes: The points of the strokes, without rests.
    ///   - rests: A Boolean value for each point of the session that indicates whether it belongs to a rest.
    init(
        _ session: TraceSession, _ strokes: [[TracePoint]], rests: [[Bool]], _ matches: [StrokeMatching.Match?],
        _ limits: StrokeGrade.Limits
    ) {
        let target = session.target
        let strokes = strokes.map { Stroke($0) }
        var next = [Int](repeating: 0, count: strokes.count)
        var lengths = [DrawnLength](repeating: DrawnLength(), count: strokes.count)
        for line in session.lines {
            if !rests[line.stroke][next[line.stroke]] { lengths[line.stroke].add(line, on: target) }
            next[line.stroke] += 1
        }
        let total = lengths.reduce(0) { $0 + $1.total }
        accuracy = total > 0 ? max(0, 1 - lengths.reduce(0) { $0 + $1.offPath } / total) : 0
        hasExcursion = lengths.contains { $0.longestExcursion > limits.excursion * target.threshold }
        var isMatched = [Bool](repeating: false, count: strokes.count)
        for match in matches { if let match { isMatched[match.stroke] = true } }
        let extra = strokes.indices.filter { !isMatched[$0] }
        let beside = extra.filter { number in
            let (total, outside) = (lengths[number].total, lengths[number].offPath)
            return outside > total / 2 || outside > 1.5 * target.threshold
        }
        let isForgiven = beside.contains { strokes[$0].extent <= target.threshold }
        besideCount = beside.count - (isForgiven ? 1 : 0)
        let retraces = target.paths.indices.reduce(0) { $0 + target.retraceCount(of: $1) }
        // Each stroke may be lifted once.
        hasTooManyStrokes = extra.count - beside.count > max(2, target.paths.count) + retraces
        let alignments = zip(target.paths, matches).map { path, match in
            match.map { StrokeAlignment(strokes[$0.stroke].points, along: path, within: target.threshold) }
        }
        isRepeated = Self.isRepeated(
            session, strokes.map { $0.points }, matches, extra, alignments, hasTooManyStrokes ? nil : limits)
        // Orders have many steps in common.
        let steps = Set(zip(target.orders, target.forms).flatMap { order, form in form == nil ? order.steps : [] })
        outOfOrder = steps.filter { step in
            guard let match = matches[step.path], let alignment = alignments[step.path] else { return false }
            return match.grade.coverage >= 0.9 && alignment.coverage(isReversed: step.isReversed) < 0.85
        }
    }

    private struct Stroke {
        let points: [TracePoint]
        /// The length of the diagonal around the stroke.
        let extent: Double

        init(_ points: [TracePoint]) {
            self.points = points
            extent = TraceRect(around: points).map { TracePoint($0.size.width, $0.size.height).length } ?? 0
        }
    }

    private static func isRepeated(
        _ session: TraceSession, _ strokes: [[TracePoint]], _ matches: [StrokeMatching.Match?], _ extra: [Int],
        _ alignments: [StrokeAlignment?], _ limits: StrokeGrade.Limits?
    ) -> [Bool] {
        let target = session.target
        var isRepeated = [Bool](repeating: false, count: alignments.count)
        guard target.settings.largestDetour != nil else { return isRepeated }
        for (path, alignment) in alignments.enumerated() {
            guard let alignment, target.lengths[path] > 0 else { continue }
            let length = target.lengths[path]
            if alignment.lengthAlong > length + max(4 * target.threshold, 0.15 * length) { isRepeated[path] = true }
        }
        // Strokes in excess may draw a path once more, but not go to and fro over it, and not fill its guide.
        var ink = zip(target.paths, matches).map { $1.map { $0.grade.detour * $0.grade.coverage } ?? 0 }
        for (path, grade) in extra.compactMap({ bestGrade(of: strokes[$0], target) }) {
            ink[path] += grade.detour * max(grade.coverage, target.threshold / target.lengths[path])
            if limits.map(grade.isZigzag) ?? true { isRepeated[path] = true }
        }
        for (path, ink) in ink.enumerated() where ink > 2.5 + 2 * target.threshold / target.lengths[path] {
            isRepeated[path] = true
        }
        return isRepeated
    }

    /// Returns the line that a stroke is on, or `nil` for a dot and for a stroke that is mostly beside all lines.
    private static func bestGrade(of stroke: [TracePoint], _ target: TraceTarget) -> (path: Int, grade: StrokeGrade)? {
        guard let frame = TraceRect(around: stroke), TracePath(points: stroke).length > target.threshold else {
            return nil
        }
        var best: (path: Int, grade: StrokeGrade)?
        for (index, path) in target.paths.enumerated() where target.lengths[index] > 0 {
            guard let other = TraceRect(around: path.points)?.inset(by: -target.threshold), frame.intersects(other)
            else { continue }
            let grade = StrokeGrade(stroke: stroke, path: path, threshold: target.threshold)
            if grade.insideShare > max(0.5, best?.grade.insideShare ?? 0) { best = (index, grade) }
        }
        return best
    }
}

extension TraceTarget {
    /// Returns the number of parts of a path that go back over the path, where the pen may be lifted instead.
    fileprivate func retraceCount(of path: Int) -> Int {
        let pieces = index.pieces[pieceRanges[path]].map { $0.segment }.filter { $0.length > 0 }
        guard pieces.count <= 512 else { return 0 }
        var count = 0
        for (before, piece) in zip(pieces, pieces.dropFirst()) where before.isOpposite(piece) { count += 1 }
        return count
    }
}
