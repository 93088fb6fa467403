/// A glyph that fills a view, with its trace. It is the model of this library's views.
///
/// If the size changes, the glyph and the strokes are transformed, and touches in progress continue.
public struct TraceSurface: Sendable {
    /// The glyph.
    public private(set) var glyph: Glyph
    /// The settings.
    public private(set) var settings: TraceSettings
    /// The size of the view, in view units.
    public private(set) var size: TraceSize
    /// The trace, or `nil` before the first valid size and if the settings or the glyph are invalid.
    public private(set) var session: TraceSession?
    /// The error in the settings or the glyph, or `nil` if there is none.
    public private(set) var problem: TraceInputError?
    /// The transform of the glyph for the current strokes.
    private var fit = TraceTransform.identity

    /// Creates an empty trace.
    ///
    /// - Parameters:
    ///   - glyph: The glyph.
    ///   - settings: The settings. If they are invalid, ``problem`` contains the error.
    ///   - size: The size of the view, in view units. Without width or height there is no session.
    public init(glyph: Glyph, settings: TraceSettings = TraceSettings(), size: TraceSize = .zero) {
        self.glyph = glyph
        self.settings = settings
        self.size = size
        prepare(keepsStrokes: false)
    }

    /// Replaces the glyph and removes all strokes.
    public mutating func show(_ glyph: Glyph) {
        self.glyph = glyph
        prepare(keepsStrokes: false)
    }

    /// Replaces the settings and judges the strokes again.
    public mutating func apply(_ settings: TraceSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        prepare(keepsStrokes: true)
    }

    /// Changes the size of the view, in view units, and transforms the strokes.
    public mutating func resize(to size: TraceSize) {
        guard size != self.size else { return }
        self.size = size
        prepare(keepsStrokes: true)
    }

    /// Calls `body` with the session, for touches, undo or reset. Returns `nil` if there is no session.
    @discardableResult
    public mutating func withSession<Result>(_ body: (inout TraceSession) -> Result) -> Result? {
        guard var current = session else { return nil }
        // The property is set to `nil` first, so that the session is mutated in place and not copied.
        session = nil
        defer { session = current }
        return body(&current)
    }

    /// Replaces all strokes by those of a recording. The strokes are transformed to the size of this view.
    public mutating func restore(_ recording: Recording) {
        let size = size
        self.size = recording.size
        prepare(keepsStrokes: false)
        withSession { $0.replay(recording.strokes) }
        // A view without a size uses the size of the recording until it gets its own.
        if size.width > 0, size.height > 0 { resize(to: size) }
    }

    private mutating func prepare(keepsStrokes: Bool) {
        problem = nil
        if !keepsStrokes { session = nil }
        // A view may be empty for a moment, for example during a rotation, and must not lose the trace.
        guard size.width > 0, size.height > 0, TracePoint(size.width, size.height).isUsable else { return }
        do {
            let (target, now) = try glyph.placed(in: size, settings: settings)
            if session == nil {
                session = TraceSession(target: target)
            } else {
                session?.retarget(to: target, moving: fit.inverted()?.then(now) ?? .identity)
            }
            fit = now
        } catch {
            problem = error
            session = nil
        }
    }
}
