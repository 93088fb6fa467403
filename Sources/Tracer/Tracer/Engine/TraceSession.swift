/// A trace in progress. It accepts touches and computes verdicts and completion.
///
/// A session is a value and needs no screen, clock or thread. A copy saves its state, and the same touches lead to the
/// same verdicts. A move is judged along its entire length, so splitting it into smaller moves changes nothing.
public struct TraceSession: Sendable {
    /// The expected paths and the settings.
    public private(set) var target: TraceTarget
    /// The lines so far, in the order of the touches.
    public private(set) var lines: [TracedLine] = []
    /// The strokes so far with their samples. The last strokes may still be in progress.
    public private(set) var strokes: [Recording.Stroke] = []
    /// A Boolean value that indicates whether all paths are drawn without scribbling. It remains `true` unless strokes
    /// are undone.
    public private(set) var isComplete = false
    /// The index of the line that completed the trace, or `nil` if the trace is not complete.
    package private(set) var completionLine: Int?

    /// A touch in progress.
    private struct Contact {
        let stroke: Int
        var dividers: Dividers
        var rests: Rests

        /// Returns the steps of the line that end within a move.
        mutating func walk(along move: Segment) -> Dividers.Steps {
            var steps = dividers.walk(along: move)
            steps.rest = rests.part(of: move)
            return steps
        }
    }

    private var contacts: [Int: Contact] = [:]
    private var coverage: Coverage
    private var trackers: [OrderTracker]
    private var checkpoints: [Checkpoint] = []

    /// The state between two strokes while no touch was in progress. If a later stroke is removed, the strokes after
    /// the checkpoint are drawn again.
    private struct Checkpoint {
        var strokeCount = 0
        var lineCount = 0
        var isComplete = false
        let coverage: Coverage
        let trackers: [OrderTracker]

        /// The number of strokes between two checkpoints.
        static let distance = 32
    }

    /// Creates an empty trace.
    public init(target: TraceTarget) {
        self.target = target
        coverage = Coverage(target)
        trackers = target.settings.mode == .ordered ? target.orders.indices.map { OrderTracker($0, of: target) } : []
    }

    /// The completion of the trace, 0...1. It is 1 only if ``isComplete`` is `true`, and decreases only if strokes are
    /// undone.
    public var completion: Double {
        isComplete ? 1 : min(rawCompletion, 0.999)
    }

    private var rawCompletion: Double {
        trackers.isEmpty
            ? coverage.completion(of: target) : trackers.lazy.map { $0.completion(of: target) }.max() ?? 0
    }

    /// The drawn share of each expected path, 0...1.
    public var pathCoverage: [Double] {
        target.paths.indices.map { coverage.share(of: $0, in: target) }
    }

    /// Returns a Boolean value that indicates whether the required share of a path is drawn, with or without scribbling.
    package func isDrawn(_ path: Int) -> Bool { coverage.isDrawn(path) }

    /// The indices of paths that are covered by a longer line than ``TraceSettings/largestDetour`` permits.
    public var scribbledPaths: [Int] {
        target.paths.indices.filter(coverage.isScribbled)
    }

    /// The next step in ordered mode, or `nil` in free mode and at the end.
    public var expectedStep: StrokeOrder.Step? {
        leadingTracker?.expectedStep(in: target)
    }

    /// The next point in ordered mode, or `nil` in free mode and at the end.
    public var expectedPoint: TracePoint? {
        leadingTracker?.frontier(in: target)
    }

    /// The direction from ``expectedPoint`` as a unit vector, or `nil` for a dot, in free mode, and at the end. An
    /// arrow of a hint uses it.
    public var expectedDirection: TracePoint? {
        leadingTracker?.direction(in: target)
    }

    /// The part of the expected stroke that is drawn already, as a line from its start to ``expectedPoint``; empty in free
    /// mode and before the stroke has begun.
    package var drawnPartOfStroke: [TracePoint] { leadingTracker?.drawnPart(in: target) ?? [] }

    /// The part of the expected stroke that comes next, for an arrow that a child can follow: a line two thresholds long, or
    /// up to 4.5 if a corner or the end is that near. It is a single point for a dot, and empty in free mode and at the end.
    package var nextPartOfStroke: [TracePoint] { leadingTracker?.nextPart(in: target) ?? [] }

    private var leadingTracker: OrderTracker? { leadingOrder.map { trackers[$0] } }

    /// The index of the tracker of the order that is most likely drawn.
    private var leadingOrder: Int? {
        guard trackers.count > 1 else { return trackers.indices.first }
        let least = trackers.reduce(.infinity) { min($0, $1.missingLength) }
        // Without a pen, an order that is about as far as the best one and comes first expects its next stroke.
        let limit = least + (contacts.isEmpty ? 0.03 : 1e-9) * target.totalWeight
        var first: Int?
        for index in trackers.indices where trackers[index].missingLength <= limit {
            // A tap on the start of a path makes no progress, but indicates which order it begins.
            if contacts.isEmpty ? trackers[index].isAtEnd : trackers[index].hasBegun { return index }
            if first == nil { first = index }
        }
        return first
    }

    /// Returns the current color of a line. Black lines turn green when the trace is complete.
    public func color(of line: TracedLine) -> TracedLine.Color {
        switch line.verdict {
        case .offPath: .red
        case .outOfOrder: .amber
        case .onPath: isComplete ? .green : .black
        }
    }

    /// Begins a stroke. If the touch is in progress, its stroke ends first.
    ///
    /// - Parameters:
    ///   - point: The position in view units. The touch is ignored if the position isn't usable.
    ///   - time: The time in seconds from any start, which is recorded and doesn't affect the verdict. A value that
    ///     isn't
    ///     finite counts as zero, or in a move as the time of the previous sample.
    ///   - touch: The identifier of the touch.
    @discardableResult
    public mutating func begin(at point: TracePoint, time: Double = 0, touch: Int = 0) -> TraceUpdate {
        end(touch: touch)
        guard point.isUsable else { return TraceUpdate() }
        addCheckpoint()
        contacts[touch] = Contact(
            stroke: strokes.count, dividers: Dividers(span: target.wobble, at: point),
            rests: Rests(threshold: target.threshold, at: point))
        strokes.append(Recording.Stroke(samples: [Recording.Sample(point, time: time.isFinite ? time : 0)]))
        return draw(Segment(point, point), touch: touch)
    }

    /// Continues a stroke by a straight line from its last point. Ignores a touch that isn't in progress.
    @discardableResult
    public mutating func move(to point: TracePoint, time: Double = 0, touch: Int = 0) -> TraceUpdate {
        guard let stroke = contacts[touch]?.stroke, let last = strokes[stroke].samples.last, point.isUsable else {
            return TraceUpdate()
        }
        strokes[stroke].samples.append(Recording.Sample(point, time: time.isFinite ? time : last.time))
        return draw(Segment(last.point, point), touch: touch)
    }

    /// Ends a stroke.
    public mutating func end(touch: Int = 0) {
        contacts[touch] = nil
        guard !isComplete, contacts.isEmpty else { return }
        for index in trackers.indices {
            trackers[index].reopen(coverage.isDrawn, target: target)
        }
    }

    /// Cancels a touch and removes its stroke, for example because of an incoming call.
    public mutating func cancel(touch: Int = 0) {
        guard let stroke = contacts[touch]?.stroke else { return }
        remove(stroke: stroke)
    }

    /// Removes the last stroke as if it had never been drawn. Returns `false` if there is no stroke.
    @discardableResult
    public mutating func undo() -> Bool {
        guard !strokes.isEmpty else { return false }
        remove(stroke: strokes.count - 1)
        return true
    }

    /// Removes all strokes.
    public mutating func reset() {
        self = TraceSession(target: target)
    }

    /// Judges the strokes again with other paths or settings. Touches in progress continue.
    ///
    /// - Parameters:
    ///   - target: The new paths and settings.
    ///   - transform: A transform of the strokes, for a view that was resized.
    package mutating func retarget(to target: TraceTarget, moving transform: TraceTransform = .identity) {
        self.target = target
        checkpoints = []
        redraw(Array(strokes.indices), from: start, moving: transform)
    }

    /// Returns a Boolean value that indicates whether a touch is in progress.
    package func isTouchDown(_ touch: Int = 0) -> Bool { contacts[touch] != nil }

    /// Returns the index of a touch's stroke, or `nil` if the touch is not in progress.
    package func stroke(of touch: Int = 0) -> Int? { contacts[touch]?.stroke }

    var activeTouches: [Int] { Array(contacts.keys) }

    /// The state before the first stroke.
    private var start: Checkpoint {
        let empty = TraceSession(target: target)
        return Checkpoint(coverage: empty.coverage, trackers: empty.trackers)
    }

    /// Saves the state before a stroke. A checkpoint takes memory for every piece, so the number of lines between
    /// checkpoints is at least the number of pieces.
    private mutating func addCheckpoint() {
        let (stroke, line) = checkpoints.last.map { ($0.strokeCount, $0.lineCount) } ?? (0, 0)
        guard contacts.isEmpty, strokes.count - stroke >= Checkpoint.distance,
            lines.count - line >= target.pathOfPiece.count
        else { return }
        checkpoints.append(
            Checkpoint(
                strokeCount: strokes.count, lineCount: lines.count, isComplete: isComplete, coverage: coverage,
                trackers: trackers))
    }

    private mutating func remove(stroke: Int) {
        while let last = checkpoints.last, last.strokeCount > stroke { checkpoints.removeLast() }
        let state = checkpoints.last ?? start
        redraw((state.strokeCount..<strokes.count).filter { $0 != stroke }, from: state)
    }

    /// Restores an earlier state, and draws the given later strokes again, with all samples in their original order.
    private mutating func redraw(_ kept: [Int], from state: Checkpoint, moving transform: TraceTransform = .identity) {
        let first = state.strokeCount
        let (laterLines, laterStrokes) = (Array(lines[state.lineCount...]), Array(strokes[first...]))
        let touches = contacts
        lines.removeSubrange(state.lineCount...)
        strokes.removeSubrange(first...)
        (coverage, trackers, isComplete, contacts) = (state.coverage, state.trackers, state.isComplete, [:])
        if !isComplete { completionLine = nil }
        let newIndices = Dictionary(uniqueKeysWithValues: zip(kept, first..<first + kept.count))
        let open = Set(touches.values.map { $0.stroke })
        var next = Array(repeating: 0, count: laterStrokes.count)
        for line in laterLines {
            guard let touch = newIndices[line.stroke] else { continue }
            let samples = laterStrokes[line.stroke - first].samples
            let sample = samples[next[line.stroke - first]]
            let point = transform == .identity ? sample.point : transform.apply(to: sample.point)
            if next[line.stroke - first] == 0 {
                begin(at: point, time: sample.time, touch: touch)
            } else {
                move(to: point, time: sample.time, touch: touch)
            }
            next[line.stroke - first] += 1
            if next[line.stroke - first] == samples.count, !open.contains(line.stroke) { end(touch: touch) }
        }
        // Strokes that the transform moved out of bounds are missing, so a stroke's index may differ from `touch`.
        let redrawn = contacts
        contacts = touches.compactMapValues { contact in newIndices[contact.stroke].flatMap { redrawn[$0] } }
    }

    private mutating func draw(_ segment: Segment, touch: Int) -> TraceUpdate {
        var update = TraceUpdate()
        guard let stroke = contacts[touch]?.stroke, let steps = contacts[touch]?.walk(along: segment) else {
            return update
        }
        let near = target.index.candidates(near: segment)
        let inside = coverage.add(segment, by: steps, near: near, target: target, update: &update)
        var verdict = inside >= 1 - IntervalSet.tolerance ? TracedLine.Verdict.onPath : .offPath
        if !trackers.isEmpty {
            for index in trackers.indices { trackers[index].advance(along: segment, target: target) }
            if verdict == .onPath, !isInOrder(segment, near: near) { verdict = .outOfOrder }
        }
        let line = TracedLine(segment: segment, stroke: stroke, verdict: verdict, insideShare: inside)
        lines.append(line)
        update.line = line
        if !isComplete, isDrawn {
            isComplete = true
            completionLine = lines.count - 1
            update.completesTrace = true
        }
        return update
    }

    /// Returns a Boolean value that indicates whether a move is in order. A stroke that has begun binds the child to no
    /// order: another one that has as many whole strokes is right as well.
    private func isInOrder(_ move: Segment, near candidates: [Int]) -> Bool {
        guard let leading = leadingOrder else { return true }
        if trackers[leading].permits(move, near: candidates, target: target) { return true }
        let limit = trackers[leading].missingLengthBeforeStroke + 1e-9 * target.totalWeight
        return trackers.contains {
            $0.missingLength <= limit && $0.permits(move, near: candidates, target: target)
        }
    }

    private var isDrawn: Bool {
        guard coverage.isComplete, target.paths.contains(where: { !$0.points.isEmpty }) else { return false }
        return trackers.isEmpty || trackers.contains { $0.isAtEnd }
    }
}
