/// A series of letters that are traced one after another, with the mistakes in each, and hints.
///
/// A stroke is a mistake if more than a tenth of its length is off the paths or out of order, or more than two thresholds
/// are off the paths in one go: with another ``TraceSettings/leniency``, 5 to 15 percent, and one to three thresholds. A
/// stroke that scribbles over a path is a mistake as well. The mistake is counted when the stroke ends, even if the stroke is
/// undone later.
public struct TraceQuiz: Sendable {
    /// The result of a letter so far.
    public struct Result: Sendable, Hashable {
        /// The number of mistakes.
        public internal(set) var mistakes = 0
        /// The largest number of mistakes after which a hint was shown; zero without a hint.
        public internal(set) var hintedMistakes = 0
        /// The number of strokes that the quiz drew, because of ``TraceQuiz/mistakesBeforeCompletion``.
        public internal(set) var strokesDrawnByQuiz = 0
        /// A Boolean value that indicates whether the letter was completed.
        public internal(set) var isComplete = false
    }

    /// The letters; never empty.
    public let glyphs: [Glyph]
    /// The results of the letters, in the same order.
    public private(set) var results: [Result]
    /// The index of the current letter.
    public private(set) var position = 0
    /// The current letter and its trace.
    public var surface: TraceSurface
    /// The number of consecutive mistakes after which a hint is due, or `nil` for no hints.
    public var mistakesBeforeHint: Int?
    /// The number of consecutive mistakes after which the quiz draws the stroke itself and goes on with the next one, or
    /// `nil`, the default, for never.
    public var mistakesBeforeCompletion: Int?
    private var consecutiveMistakes = 0
    /// The touches in progress that scribbled over a path.
    private var scribblingTouches: Set<Int> = []

    /// Creates a quiz at its first letter.
    ///
    /// - Parameters:
    ///   - glyphs: The letters. An empty array is replaced by one letter without strokes.
    ///   - settings: The settings.
    ///   - size: The size of the view, in view units.
    ///   - mistakesBeforeHint: The number of consecutive mistakes after which a hint is due, or `nil` for no hints.
    public init(
        glyphs: [Glyph], settings: TraceSettings = TraceSettings(), size: TraceSize = .zero,
        mistakesBeforeHint: Int? = 3
    ) {
        let glyphs = glyphs.isEmpty ? [Glyph(name: "", curves: [])] : glyphs
        self.glyphs = glyphs
        self.mistakesBeforeHint = mistakesBeforeHint
        results = Array(repeating: Result(), count: glyphs.count)
        surface = TraceSurface(glyph: glyphs[0], settings: settings, size: size)
    }

    /// The sum of the mistakes in all letters.
    public var mistakes: Int { results.reduce(0) { $0 + $1.mistakes } }

    /// A Boolean value that indicates whether all letters were completed.
    public var isComplete: Bool { results.allSatisfy { $0.isComplete } }

    /// Shows a letter without strokes, and keeps its result. An index out of range is ignored.
    public mutating func showLetter(at position: Int) {
        guard glyphs.indices.contains(position) else { return }
        self.position = position
        consecutiveMistakes = 0
        surface.show(glyphs[position])
    }

    /// Shows the next letter, whether the current one is complete or skipped. Returns `false` at the last letter.
    @discardableResult
    public mutating func showNextLetter() -> Bool {
        guard glyphs.indices.contains(position + 1) else { return false }
        showLetter(at: position + 1)
        return true
    }

    /// Begins a stroke, as `TraceSession.begin(at:time:touch:)` does.
    @discardableResult
    public mutating func begin(at point: TracePoint, time: Double = 0, touch: Int = 0) -> TraceUpdate {
        scribblingTouches.remove(touch)
        return note(surface.withSession { $0.begin(at: point, time: time, touch: touch) }, of: touch)
    }

    /// Continues a stroke, as `TraceSession.move(to:time:touch:)` does.
    @discardableResult
    public mutating func move(to point: TracePoint, time: Double = 0, touch: Int = 0) -> TraceUpdate {
        note(surface.withSession { $0.move(to: point, time: time, touch: touch) }, of: touch)
    }

    /// Ends a stroke, and returns a Boolean value that indicates whether it was a mistake.
    @discardableResult
    public mutating func end(touch: Int = 0) -> Bool {
        guard let session = surface.session, let stroke = session.stroke(of: touch) else { return false }
        surface.withSession { $0.end(touch: touch) }
        let scribbles = scribblingTouches.remove(touch) != nil
        let isMistake = scribbles || session.isMistake(stroke: stroke)
        if isMistake {
            results[position].mistakes += 1
            consecutiveMistakes += 1
            if hint != nil { results[position].hintedMistakes = results[position].mistakes }
            if let mistakesBeforeCompletion, consecutiveMistakes >= max(1, mistakesBeforeCompletion) { drawStroke() }
        } else {
            consecutiveMistakes = 0
        }
        return isMistake
    }

    /// The index of the expected path that a hint shows, or `nil` if no hint is due. It is a path that is scribbled over,
    /// the next path in ordered mode, or the first path that is not drawn in free mode.
    public var hint: Int? {
        guard let mistakesBeforeHint, consecutiveMistakes >= max(1, mistakesBeforeHint) else { return nil }
        return dueStep?.path
    }

    /// A path that is scribbled over, the next step in ordered mode, or the first path that is not drawn in free mode. It
    /// is `nil` for a complete letter.
    private var dueStep: StrokeOrder.Step? {
        guard let session = surface.session, !session.isComplete else { return nil }
        if let path = session.scribbledPaths.min() { return StrokeOrder.Step(path: path) }
        if let step = session.expectedStep { return step }
        return session.target.paths.indices.first { !session.isDrawn($0) }.map { StrokeOrder.Step(path: $0) }
    }

    /// Draws the stroke that is due. No line completes a path that is scribbled over, so a scribble and what follows it are
    /// removed.
    private mutating func drawStroke() {
        while surface.session?.scribbledPaths.isEmpty == false, surface.withSession({ $0.undo() }) == true {}
        guard let step = dueStep, let path = surface.session?.target.paths[step.path] else { return }
        let samples = (step.isReversed ? path.reversed() : path).points.map { Recording.Sample($0) }
        surface.withSession { $0.replay([Recording.Stroke(samples: samples)]) }
        consecutiveMistakes = 0
        results[position].strokesDrawnByQuiz += 1
        if surface.session?.isComplete == true { results[position].isComplete = true }
    }

    private mutating func note(_ update: TraceUpdate?, of touch: Int) -> TraceUpdate {
        if update?.scribbledPaths.isEmpty == false { scribblingTouches.insert(touch) }
        if update?.completesTrace == true { results[position].isComplete = true }
        return update ?? TraceUpdate()
    }
}

extension TraceSession {
    /// Returns a Boolean value that indicates whether more than a tenth of a stroke's length, or another share by the
    /// leniency, is off the paths or out of order, or too much is off the paths in one go.
    fileprivate func isMistake(stroke: Int) -> Bool {
        let limits = StrokeGrade.Limits(leniency: target.settings.leniency)
        var drawn: [TracedLine] = []
        // The lines of a stroke are near the end, so a search from there takes time only for this stroke.
        let rests = Rests.isResting(strokes[stroke].samples.map { $0.point }, threshold: target.threshold)
        var number = rests.count
        for line in lines.reversed() where line.stroke == stroke {
            number -= 1
            if !rests[number] { drawn.append(line) }
            if number == 0 { break }
        }
        var length = DrawnLength()
        for line in drawn.reversed() { length.add(line, on: target) }
        return length.offPath + length.outOfOrder > (1 - limits.insideShare) * length.total
            || length.longestExcursion > limits.excursion * target.threshold
    }
}
