/// A letter or digit as strokes in drawing order.
///
/// Built-in glyphs are drawn in a grid of 100 units from the cap line (y = 0) to the baseline (y = 100); small letters
/// reach up to y = 50, descenders down to y = 140.
public struct Glyph: Sendable, Hashable {
    /// What it is called: the character it shows.
    public let name: String
    /// The strokes in drawing order, in the glyph's own unit with the y axis down.
    public let curves: [Curve]
    /// Further orders in which it may be drawn, beside the order of ``curves``.
    public let alternatives: [StrokeOrder]

    /// - Parameters:
    ///   - name: What it is called.
    ///   - curves: The strokes in drawing order.
    ///   - alternatives: Further orders in which they may be drawn.
    public init(name: String, curves: [Curve], alternatives: [StrokeOrder] = []) {
        self.name = name
        self.curves = curves
        self.alternatives = alternatives
    }

    /// The strokes as paths, nowhere farther than the tolerance (in glyph units) from the curves.
    public func paths(tolerance: Double = 0.05) -> [Path] {
        curves.map { Path($0, tolerance: tolerance) }
    }

    /// The strokes as large as fits into a frame, with room for the pen around them.
    ///
    /// - Parameters:
    ///   - frame: In view units. One without room gets paths around its centre.
    ///   - margin: The free border in view units; twice the threshold shows the whole guide.
    ///   - isStretched: Whether the strokes fill the frame; else their proportions are kept.
    public func paths(in frame: Rect, margin: Double, isStretched: Bool = false) -> [Path] {
        let fit = fit(into: frame, margin: margin, isStretched: isStretched)
        return paths().map { $0.transformed(by: fit) }
    }

    /// The map that ``paths(in:margin:isStretched:)`` applies to the glyph's own coordinates.
    public func fit(into frame: Rect, margin: Double, isStretched: Bool = false) -> Transform {
        guard let bounds = Rect(around: paths().lazy.flatMap(\.points)) else { return .identity }
        let inner = frame.inset(by: max(0, margin))
        return isStretched ? .fill(bounds, into: inner) : .aspectFit(bounds, into: inner)
    }

    /// The permitted orders, the usual one first.
    public var orders: [StrokeOrder] {
        [StrokeOrder(curves.indices.map { StrokeOrder.Step(path: $0) })] + alternatives
    }

    /// What a tracer compares touches with when the glyph fills a view.
    ///
    /// - Throws: ``TraceInputError`` for settings or a view size that can't be used.
    public func target(in size: Size, settings: TraceSettings = TraceSettings()) throws(TraceInputError) -> TraceTarget
    {
        let fit = fit(into: size, settings)
        return try TraceTarget(paths: paths().map { $0.transformed(by: fit) }, settings: settings, orders: orders)
    }

    func fit(into size: Size, _ settings: TraceSettings) -> Transform {
        let margin = settings.threshold.isFinite ? 2 * settings.threshold : 0
        return fit(into: Rect(origin: .zero, size: size), margin: margin)
    }
}
