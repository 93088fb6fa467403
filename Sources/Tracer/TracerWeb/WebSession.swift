package import Tracer

/// A trace in a web page, with the operations that the page calls.
///
/// A page and the engine share only memory, so letters, strokes and results are lists of numbers. The function that
/// reads or writes a list describes it. A count always precedes the counted elements.
package struct WebSession {
    /// The result of a touch: a verdict, and the path or trace that the touch completed or scribbled over.
    package struct Result: OptionSet, Sendable {
        package let rawValue: Int32
        package static let onPath = Result(rawValue: 1)
        package static let offPath = Result(rawValue: 2)
        package static let outOfOrder = Result(rawValue: 4)
        package static let completesTrace = Result(rawValue: 8)
        package static let scribbles = Result(rawValue: 16)

        package init(rawValue: Int32) { self.rawValue = rawValue }
    }

    private var quiz: TraceQuiz?

    private var session: TraceSession? { quiz?.surface.session }

    package init() {}

    /// Starts an empty trace of a glyph. Returns `false` for an invalid glyph or invalid settings.
    ///
    /// - Parameters:
    ///   - numbers: The strokes, the permitted orders, the heights of the writing lines, and the numbers of the box,
    ///     which may be an empty list. A stroke is a list of parts: a character code and a list of numbers as in
    ///     `Curve.Part`. An order is a list of `StrokeOrder.Step.number`.
    ///   - size: The size of the view, in view units.
    ///   - settings: The settings, in view units.
    package mutating func start(glyph numbers: [Double], in size: TraceSize, _ settings: TraceSettings) -> Bool {
        quiz = nil
        var reader = NumberReader(numbers)
        guard let curves = reader.list({ reader in reader.curve() }),
            let orders = reader.list({ reader in reader.order() }),
            let lines = reader.list({ reader in reader.number() }),
            let box = reader.list({ reader in reader.number() }), box.isEmpty || box.count == 4
        else { return false }
        let glyph = Glyph(
            name: "", curves: curves, alternatives: orders, writingLines: lines,
            box: box.isEmpty ? nil : TraceRect(x: box[0], y: box[1], width: box[2], height: box[3]))
        let started = TraceQuiz(glyphs: [glyph], settings: settings, size: size)
        guard started.surface.session != nil else { return false }
        quiz = started
        return true
    }

    /// The threshold in view units, or zero without a trace.
    package var threshold: Double { session?.target.threshold ?? 0 }

    /// The paths, each a list of x and y coordinates, followed by the list of coordinates of the key points.
    package var geometry: [Double] {
        guard let target = session?.target else { return [0, 0] }
        return [Double(target.paths.count)] + target.paths.flatMap { Self.list($0.points) }
            + Self.list(target.keyPoints)
    }

    /// The list of the shapes of the cues, each with its `TraceCues`, the width of its line, and the list of its
    /// coordinates. Arrows that the one of the hint would cover are missing.
    package var cues: [Double] {
        guard let quiz, let target = session?.target else { return [0] }
        let size = quiz.surface.size
        let next = session?.nextPartOfStroke ?? []
        var shapes: [[Double]] = []
        for cue in [TraceCues.writingLines, .ends, .arrows, .starts, .numbers] {
            var picture = TracePicture()
            picture.cues = cue
            let items =
                cue == .writingLines
                ? picture.writingLineItems(of: target, size: size)
                : picture.cueItems(of: target, size: size, besides: next)
            for item in items.flatMap({ $0.shapes }) {
                switch item {
                case .stroke(let points, let width, _):
                    shapes.append([Double(cue.rawValue), width] + Self.list(points))
                case .strokes(let lines, let width, _):
                    shapes += lines.map { [Double(cue.rawValue), width] + Self.list($0) }
                case .fill, .image, .number: break
                }
            }
        }
        return [Double(shapes.count)] + shapes.flatMap { $0 }
    }

    /// The strokes of a demonstration, as `replay` reads them.
    package var demonstration: [Double] {
        session.map { Self.list(StrokeDemonstration($0.target).strokes) } ?? [0]
    }

    /// The index of the path that ordered mode expects, or -1, followed by 1 or 0 for each path: drawn or not.
    package var progress: [Double] {
        guard let session else { return [-1] }
        let scribbled = session.scribbledPaths
        return [Double(session.expectedStep?.path ?? -1)]
            + session.target.paths.indices.map { session.isDrawn($0) && !scribbled.contains($0) ? 1 : 0 }
    }

    /// The number of mistakes, and the index of the path that a hint shows, or -1.
    package var mistakes: [Double] {
        [Double(quiz?.mistakes ?? 0), Double(quiz?.hint ?? -1)]
    }

    /// The index of the line that completed the trace, or -1.
    package var completionLine: Int { session?.completionLine ?? -1 }

    package mutating func begin(at point: TracePoint, time: Double, touch: Int) -> Result {
        Self.result(quiz?.begin(at: point, time: time, touch: touch))
    }

    package mutating func move(to point: TracePoint, time: Double, touch: Int) -> Result {
        Self.result(quiz?.move(to: point, time: time, touch: touch))
    }

    package mutating func end(touch: Int) { quiz?.end(touch: touch) }

    package mutating func cancel(touch: Int) { change { $0.cancel(touch: touch) } }

    /// Removes the last stroke. Returns `false` if there is no stroke.
    package mutating func undo() -> Bool {
        guard let session, !session.strokes.isEmpty else { return false }
        change { _ = $0.undo() }
        return true
    }

    /// Removes all strokes, mistakes and hints.
    package mutating func reset() {
        guard let old = quiz else { return }
        quiz = TraceQuiz(glyphs: old.glyphs, settings: old.surface.settings, size: old.surface.size)
    }

    private mutating func change(_ body: (inout TraceSession) -> Void) {
        _ = quiz?.surface.withSession(body)
    }

    /// Draws additional strokes. Returns `false` if the numbers are not valid strokes.
    ///
    /// - Parameter numbers: The strokes, each a list of samples with x, y and the time in seconds.
    package mutating func replay(_ numbers: [Double]) -> Bool {
        var reader = NumberReader(numbers)
        guard session != nil, let strokes = reader.list({ reader in reader.stroke() }) else { return false }
        change { $0.replay(strokes) }
        return true
    }

    /// The strokes, as `replay` reads them.
    package var strokes: [Double] {
        Self.list(session?.strokes ?? [])
    }

    /// The list of lines, each the stroke, the verdict as a `Result`, and the coordinates of start and end.
    package var lines: [Double] {
        let lines = session?.lines ?? []
        return [Double(lines.count)]
            + lines.flatMap { line in
                let (start, end) = (line.segment.start, line.segment.end)
                return [
                    Double(line.stroke), Double(Self.result(line.verdict).rawValue), start.x, start.y, end.x, end.y,
                ]
            }
    }

    /// The list of coordinates of an arrow that shows how the stroke goes on, or of a dot, and that of the part of the
    /// stroke that is drawn already. An empty list in free mode and at the end.
    package var hint: [Double] {
        guard let session else { return [] }
        let part = session.nextPartOfStroke
        return part.isEmpty ? [] : Self.list(part) + Self.list(session.drawnPartOfStroke)
    }

    /// The completion, 0...1, which is 1 only for a complete trace.
    package var completion: Double { session?.completion ?? 0 }

    /// The completion, coverage, accuracy, deviation and points, followed by 1 or 0 for a complete trace and for an
    /// accepted trace.
    package var score: [Double] {
        guard let session else { return [] }
        let score = TraceScore(session)
        return [
            session.completion, score.coverage, score.accuracy, score.deviation, Double(score.points),
            session.isComplete ? 1 : 0, score.isAccepted ? 1 : 0,
        ]
    }

    /// The reasons for a lower score as sentences, one per line.
    package var reasons: String {
        guard let session else { return "" }
        return TraceScore(session).reasons.map { $0.description }.joined(separator: "\n")
    }

    private static func list(_ strokes: [Recording.Stroke]) -> [Double] {
        [Double(strokes.count)]
            + strokes.flatMap { stroke in
                [Double(stroke.samples.count)] + stroke.samples.flatMap { [$0.point.x, $0.point.y, $0.time] }
            }
    }

    private static func list(_ points: [TracePoint]) -> [Double] {
        [Double(points.count)] + points.flatMap { [$0.x, $0.y] }
    }

    private static func result(_ update: TraceUpdate?) -> Result {
        guard let update, let line = update.line else { return [] }
        var result = result(line.verdict)
        if update.completesTrace { result.insert(.completesTrace) }
        if !update.scribbledPaths.isEmpty { result.insert(.scribbles) }
        return result
    }

    private static func result(_ verdict: TracedLine.Verdict) -> Result {
        switch verdict {
        case .onPath: .onPath
        case .offPath: .offPath
        case .outOfOrder: .outOfOrder
        }
    }
}
