public import Tracer

#if canImport(Combine)
    public import Combine
#endif

/// An event that a sound or a haptic can accompany.
public enum TraceFeedback: Sendable, Hashable {
    /// A stroke began.
    case began
    /// A line left the paths or is out of order, unlike the line before it.
    case strayed
    /// An expected path was completed.
    case completedPath(Int)
    /// A stroke ended as a mistake. The associated value is the number of mistakes in the letter.
    case mistake(Int)
    /// A hint for a path is shown.
    case hint(path: Int)
    /// The letter was completed.
    case completed
    /// A stroke was removed.
    case undone
}

/// The letters and the trace of a view, for UIKit, AppKit and SwiftUI. It is an `ObservableObject` on systems with
/// Combine.
///
///     @StateObject private var model = TraceModel(glyphs: Alphabet.uppercase)
///     var body: some View { TracingCanvas(model: model) }
///
/// A model belongs to one view at a time. The cost of a touch doesn't depend on the number of lines.
@MainActor public final class TraceModel {
    /// The letters, their mistakes, and the current trace.
    public var quiz: TraceQuiz { state }
    /// The property has no observers, because these would make each touch copy the lines.
    private var state: TraceQuiz
    /// The texts for assistive technologies.
    public var labels = TraceLabels()
    /// A closure that is called after touches and undo, for sounds and haptics.
    public var onFeedback: (@MainActor (TraceFeedback) -> Void)?
    #if canImport(Combine)
        /// The number of changes. Without a published property, Combine has no place for the publisher of the model.
        @Published private var changes = 0
    #endif
    /// The view that shows the model.
    weak var view: (any TraceModelView)?
    private var strayed: Set<Int> = []

    /// Creates a model at its first letter.
    ///
    /// - Parameters:
    ///   - glyphs: The letters. An empty array is replaced by one letter without strokes.
    ///   - settings: The settings, with the threshold in points.
    ///   - mistakesBeforeHint: The number of consecutive mistakes after which a hint is shown, or `nil` for no hints.
    public init(glyphs: [Glyph], settings: TraceSettings = TraceSettings(), mistakesBeforeHint: Int? = 3) {
        state = TraceQuiz(glyphs: glyphs, settings: settings, mistakesBeforeHint: mistakesBeforeHint)
    }

    /// The current letter, its size and trace.
    public var surface: TraceSurface { state.surface }
    /// The trace, or `nil` before the view has a size and for invalid settings.
    public var session: TraceSession? { state.surface.session }
    /// The completion of the letter, 0...1.
    public var completion: Double { session?.completion ?? 0 }

    /// The settings, with the threshold in points. A change judges the strokes again.
    public var settings: TraceSettings {
        get { state.surface.settings }
        set { change { $0.surface.apply(newValue) } }
    }

    /// The number of consecutive mistakes after which a hint is shown, or `nil` for no hints.
    public var mistakesBeforeHint: Int? {
        get { state.mistakesBeforeHint }
        set { change { $0.mistakesBeforeHint = newValue } }
    }

    /// The number of consecutive mistakes after which the model draws the stroke itself, or `nil`, the default, for never.
    public var mistakesBeforeCompletion: Int? {
        get { state.mistakesBeforeCompletion }
        set { state.mistakesBeforeCompletion = newValue }
    }

    /// Shows the letter at an index without strokes. Ignores an index out of range.
    public func showLetter(at position: Int) { change { $0.showLetter(at: position) } }

    /// Replaces the letters, and shows the first letter.
    public func show(_ glyphs: [Glyph]) {
        change {
            let mistakesBeforeCompletion = $0.mistakesBeforeCompletion
            $0 = TraceQuiz(
                glyphs: glyphs, settings: $0.surface.settings, size: $0.surface.size,
                mistakesBeforeHint: $0.mistakesBeforeHint)
            $0.mistakesBeforeCompletion = mistakesBeforeCompletion
        }
    }

    /// Changes the size of the view, in points, and transforms the strokes.
    public func resize(to size: TraceSize) {
        guard size != surface.size else { return }
        change { $0.surface.resize(to: size) }
    }

    /// Begins a stroke. A view does this for its touches.
    ///
    /// - Parameters:
    ///   - point: The position, in points.
    ///   - time: The time in seconds from any start.
    ///   - touch: The identifier of the touch.
    public func begin(at point: TracePoint, time: Double, touch: Int = 0) {
        strayed.remove(touch)
        willChange()
        let update = state.begin(at: point, time: time, touch: touch)
        if update.line != nil { onFeedback?(.began) }
        show(update, touch: touch)
    }

    /// Continues a stroke. Ignores a touch that isn't in progress.
    public func move(to point: TracePoint, time: Double, touch: Int = 0) {
        willChange()
        show(state.move(to: point, time: time, touch: touch), touch: touch)
    }

    /// Ends a stroke.
    public func end(touch: Int = 0) {
        willChange()
        let drawnBefore = state.results[state.position].strokesDrawnByQuiz
        let isMistake = state.end(touch: touch)
        let result = state.results[state.position]
        if isMistake { onFeedback?(.mistake(result.mistakes)) }
        if isMistake, let hint = state.hint { onFeedback?(.hint(path: hint)) }
        guard result.strokesDrawnByQuiz > drawnBefore else {
            view?.modelDidChangeMarks()
            return
        }
        view?.modelDidChange()
        if session?.isComplete == true { onFeedback?(.completed) }
    }

    /// Removes the stroke of a touch that the system canceled.
    public func cancel(touch: Int = 0) {
        change { quiz in _ = quiz.surface.withSession { $0.cancel(touch: touch) } }
    }

    /// Removes the last stroke.
    public func undo() {
        guard session?.strokes.isEmpty == false else { return }
        change { quiz in _ = quiz.surface.withSession { $0.undo() } }
        onFeedback?(.undone)
    }

    /// Removes all strokes and the hint.
    public func reset() { change { $0.showLetter(at: $0.position) } }

    /// Replaces the strokes by those of a recording of the letter. The view of the recording may have had another size.
    public func restore(_ recording: Recording) { change { $0.surface.restore(recording) } }

    /// A recording of the strokes, or `nil` without a session.
    public var recording: Recording? {
        session?.recording(size: surface.size, letter: surface.glyph.name)
    }

    private func show(_ update: TraceUpdate, touch: Int) {
        guard let line = update.line else { return }
        view?.modelDidAddLine(completesTrace: update.completesTrace)
        if line.verdict == .onPath {
            strayed.remove(touch)
        } else if strayed.insert(touch).inserted {
            onFeedback?(.strayed)
        }
        for path in update.completedPaths { onFeedback?(.completedPath(path)) }
        if update.completesTrace { onFeedback?(.completed) }
    }

    private func change(_ body: (inout TraceQuiz) -> Void) {
        willChange()
        body(&state)
        view?.modelDidChange()
    }

    private func willChange() {
        #if canImport(Combine)
            changes &+= 1
        #endif
    }
}

#if canImport(Combine)
    extension TraceModel: ObservableObject {}
#endif

/// A view that draws the changes of a model.
@MainActor protocol TraceModelView: AnyObject {
    /// Draws the lines that were added.
    func modelDidAddLine(completesTrace: Bool)
    /// Draws the hint and the next point again.
    func modelDidChangeMarks()
    /// Draws everything again.
    func modelDidChange()
}
