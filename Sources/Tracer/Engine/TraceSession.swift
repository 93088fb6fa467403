/// A trace being drawn: touches go in, verdicts and completion come out.
///
/// A value without a screen, a clock or a thread: copy it to keep a state, replay it to get the same verdicts. A move is
/// judged along its whole way, so drawing it in many small parts changes nothing.
public struct TraceSession: Sendable {
    /// What tells simultaneous touches apart.
    public typealias TouchID = Int

    /// What is to be traced.
    public private(set) var target: TraceTarget
    /// Every line so far, in the order of the touches.
    public private(set) var lines: [TracedLine] = []
    /// Every stroke so far with its samples; the last ones may still be open.
    public private(set) var strokes: [Recording.Stroke] = []
    /// Whether everything is drawn, and nothing scribbled over. It stays so, unless strokes are undone.
    public private(set) var isComplete = false

    /// A touch that is down.
    private struct Contact {
        let stroke: Int
        var dividers: Dividers
    }

    private var contacts: [TouchID: Contact] = [:]
    private var coverage: Coverage
    private var trackers: [OrderTracker]

    /// An empty trace.
    public init(target: TraceTarget) {
        self.target = target
        coverage = Coverage(target)
        trackers = target.settings.mode == .ordered ? target.orders.map { OrderTracker($0) } : []
    }

    /// How much is drawn, 0...1: 1 exactly when ``isComplete``. Only undoing lowers it.
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

    /// Paths that are covered, but by more line than ``TraceSettings/largestDetour`` permits, by position.
    public var scribbledPaths: [Int] {
        target.paths.indices.filter(coverage.isScribbled)
    }

    /// The step that ordered mode waits for; nil in free mode and at the end.
    public var expectedStep: StrokeOrder.Step? {
        leadingTracker?.currentStep
    }

    /// Where ordered mode expects the pen next; nil in free mode and at the end.
    public var expectedPoint: Point? {
        leadingTracker?.frontier(in: target)
    }

    /// Which way ordered mode expects the pen to go from ``expectedPoint``, as a vector of length one: the direction of a
    /// hint's arrow. Nil for a dot, in free mode and at the end.
    public var expectedDirection: Point? {
        leadingTracker?.direction(in: target)
    }

    private var leadingTracker: OrderTracker? {
        trackers.max { $0.completion(of: target) < $1.completion(of: target) }
    }

    /// What a line is shown in now: its verdict never changes, but black turns green when the trace is complete.
    public func color(of line: TracedLine) -> LineColor {
        switch line.verdict {
        case .offPath: .red
        case .outOfOrder: .amber
        case .onPath: isComplete ? .green : .black
        }
    }

    /// A pen comes down. A touch that was already down ends first.
    ///
    /// - Parameters:
    ///   - point: Where, in view units. Ignored if it is not usable.
    ///   - time: Seconds from any start; kept for replay, of no influence on the verdict. One that is not finite counts
    ///     as zero, in a move as the time before.
    ///   - touch: Which of several simultaneous touches it is.
    @discardableResult
    public mutating func begin(at point: Point, time: Double = 0, touch: TouchID = 0) -> TraceUpdate {
        end(touch: touch)
        guard point.isUsable else { return TraceUpdate() }
        let dividers = Dividers(span: target.settings.wobble, at: point)
        contacts[touch] = Contact(stroke: strokes.count, dividers: dividers)
        strokes.append(Recording.Stroke(samples: [Recording.Sample(point, time: time.isFinite ? time : 0)]))
        return draw(Segment(point, point), touch: touch)
    }

    /// A pen moves in a straight line from where it was. Ignored for a touch that is not down.
    @discardableResult
    public mutating func move(to point: Point, time: Double = 0, touch: TouchID = 0) -> TraceUpdate {
        guard let stroke = contacts[touch]?.stroke, let last = strokes[stroke].samples.last, point.isUsable else {
            return TraceUpdate()
        }
        strokes[stroke].samples.append(Recording.Sample(point, time: time.isFinite ? time : last.time))
        return draw(Segment(last.point, point), touch: touch)
    }

    /// A pen is lifted; what it drew stays.
    public mutating func end(touch: TouchID = 0) {
        contacts[touch] = nil
    }

    /// The system took the touch away (a call came in, a palm was recognised): its stroke is undone.
    public mutating func cancel(touch: TouchID = 0) {
        guard let stroke = contacts[touch]?.stroke else { return }
        remove(stroke: stroke)
    }

    /// Takes the last stroke back, as if it had never been drawn. False when there is none.
    @discardableResult
    public mutating func undo() -> Bool {
        guard !strokes.isEmpty else { return false }
        remove(stroke: strokes.count - 1)
        return true
    }

    /// Starts afresh with the same paths.
    public mutating func reset() {
        self = TraceSession(target: target)
    }

    /// Judges what was drawn so far by other paths or settings; touches that are down stay down.
    ///
    /// - Parameters:
    ///   - target: The new paths and settings.
    ///   - transform: Moves what was drawn first, for a view that changed its size.
    public mutating func retarget(to target: TraceTarget, moving transform: Transform = .identity) {
        rejudge(strokes: Array(strokes.indices), target: target, moving: transform)
    }

    /// Whether a touch came down and was not lifted yet.
    public func isTouchDown(_ touch: TouchID = 0) -> Bool { contacts[touch] != nil }

    var activeTouches: [TouchID] { Array(contacts.keys) }

    private mutating func remove(stroke: Int) {
        let kept = strokes.indices.filter { $0 != stroke }
        rejudge(strokes: kept, target: target)
    }

    /// Draws the given strokes again, samples in the order in which they came.
    private mutating func rejudge(strokes kept: [Int], target: TraceTarget, moving transform: Transform = .identity) {
        let places = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
        var next = Array(repeating: 0, count: strokes.count)
        var session = TraceSession(target: target)
        for line in lines {
            guard let touch = places[line.stroke] else { continue }
            let sample = strokes[line.stroke].samples[next[line.stroke]]
            let point = transform == .identity ? sample.point : transform.apply(to: sample.point)
            if next[line.stroke] == 0 {
                session.begin(at: point, time: sample.time, touch: touch)
            } else {
                session.move(to: point, time: sample.time, touch: touch)
            }
            next[line.stroke] += 1
        }
        // Strokes that the transform moved out of all bounds are gone, so numbers may have changed once more.
        let open = session.contacts
        session.contacts = contacts.compactMapValues { contact in places[contact.stroke].flatMap { open[$0] } }
        self = session
    }

    private mutating func draw(_ segment: Segment, touch: TouchID) -> TraceUpdate {
        var update = TraceUpdate()
        guard let stroke = contacts[touch]?.stroke, let steps = contacts[touch]?.dividers.walk(along: segment) else {
            return update
        }
        let near = target.index.candidates(near: segment)
        let inside = coverage.add(segment, by: steps, near: near, target: target, update: &update)
        var verdict = inside >= 1 - IntervalSet.tolerance ? TracedLine.Verdict.onPath : .offPath
        if !trackers.isEmpty {
            for index in trackers.indices { trackers[index].advance(along: segment, target: target) }
            let isInOrder = leadingTracker?.permits(segment, near: near, target: target) ?? true
            if verdict == .onPath, !isInOrder { verdict = .outOfOrder }
        }
        let line = TracedLine(segment: segment, stroke: stroke, verdict: verdict, insideShare: inside)
        lines.append(line)
        update.line = line
        if !isComplete, isDrawn {
            isComplete = true
            update.completesTrace = true
        }
        return update
    }

    private var isDrawn: Bool {
        guard coverage.isComplete, target.paths.contains(where: { !$0.points.isEmpty }) else { return false }
        return trackers.isEmpty || trackers.contains { $0.currentStep == nil }
    }
}
