/// A glyph in a view of any size, and the trace on it: what the views of this library are thin shells over.
///
/// The glyph always fills the view. When the size changes, what was drawn moves along, and touches that are down go on.
public struct TraceSurface: Sendable {
    /// The glyph that is shown.
    public private(set) var glyph: Glyph
    /// Threshold in view units, mode, and how much has to be drawn.
    public private(set) var settings: TraceSettings
    /// In view units.
    public private(set) var size: Size
    /// The trace; nil as long as the size has no room or the settings can't be used.
    public private(set) var session: TraceSession?
    /// Why there is no session, if the reason is not the size.
    public private(set) var problem: TraceInputError?
    /// How the glyph lay when the strokes were drawn.
    private var fit = Transform.identity

    /// - Parameters:
    ///   - glyph: What is to be traced.
    ///   - settings: Settings that can't be used are kept, and told by ``problem``.
    ///   - size: In view units; without width or height there is no session yet.
    public init(glyph: Glyph, settings: TraceSettings = TraceSettings(), size: Size = Size(0, 0)) {
        self.glyph = glyph
        self.settings = settings
        self.size = size
        prepare(keepsStrokes: false)
    }

    /// Shows another glyph, empty.
    public mutating func show(_ glyph: Glyph) {
        self.glyph = glyph
        prepare(keepsStrokes: false)
    }

    /// Judges what is drawn by other settings.
    public mutating func apply(_ settings: TraceSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        prepare(keepsStrokes: true)
    }

    /// Fits the glyph into another size, in view units; what was drawn moves along.
    public mutating func resize(to size: Size) {
        guard size != self.size else { return }
        self.size = size
        prepare(keepsStrokes: true)
    }

    /// Runs something on the session, if there is one: touches, undo, reset.
    @discardableResult
    public mutating func withSession<Result>(_ body: (inout TraceSession) -> Result) -> Result? {
        guard var current = session else { return nil }
        // Emptied first, so that the session is changed in place and not copied.
        session = nil
        defer { session = current }
        return body(&current)
    }

    /// Whether the two expect the same of the pen; what was drawn may differ.
    func hasSameTarget(as other: TraceSurface) -> Bool {
        glyph == other.glyph && settings == other.settings && size == other.size
            && (session == nil) == (other.session == nil)
    }

    private mutating func prepare(keepsStrokes: Bool) {
        problem = nil
        if !keepsStrokes { session = nil }
        // A view without room for a moment, as during a rotation, must not lose the trace.
        guard size.width > 0, size.height > 0, Point(size.width, size.height).isUsable else { return }
        do {
            let target = try glyph.target(in: size, settings: settings)
            let now = glyph.fit(into: size, settings)
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
