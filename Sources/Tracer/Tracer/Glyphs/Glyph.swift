/// A letter, digit or other character as strokes in drawing order.
///
/// Built-in glyphs have their cap line at y = 0, x-height at y = 50, baseline at y = 100 and descenders at y = 140, in a
/// ``box`` from y = -10 to y = 150.
public struct Glyph: Sendable, Hashable {
    /// The name: the character of the glyph, followed by `.alt` for a second form.
    public let name: String
    /// The strokes in drawing order, in glyph units with the y axis down.
    public let curves: [Curve]
    /// The permitted orders besides the order of ``curves``.
    public let alternatives: [StrokeOrder]
    /// The heights of the lines of a writing book from the top, in glyph units. Empty if they are unknown.
    public let writingLines: [Double]
    /// The box that the glyph was created with, or `nil` for the default box.
    let ownBox: TraceRect?

    /// Creates a glyph.
    ///
    /// - Parameters:
    ///   - name: The character of the glyph.
    ///   - curves: The strokes in drawing order.
    ///   - alternatives: The permitted orders besides the order of `curves`.
    ///   - writingLines: The heights of the lines of a writing book from the top, in glyph units.
    ///   - box: The ``box``, or `nil` for a square around the strokes. A box without a width and a height counts as
    ///     `nil`.
    public init(
        name: String, curves: [Curve], alternatives: [StrokeOrder] = [], writingLines: [Double] = [],
        box: TraceRect? = nil
    ) {
        self.name = name
        self.curves = curves
        self.alternatives = alternatives
        self.writingLines = writingLines
        ownBox = box.flatMap { $0.hasArea ? $0 : nil }
    }

    /// The box that fills a view, like the em square of a font. It distinguishes an o from an O, and a hyphen from an
    /// underscore. Strokes may extend beyond the box.
    public var box: TraceRect { ownBox ?? Self.defaultBox(around: paths()) }

    /// The height of the line on which letters stand: the third of four ``writingLines``, the last of fewer, or `nil` if
    /// they are unknown.
    public var baseline: Double? { Self.baseline(of: writingLines) }

    static func baseline(of lines: [Double]) -> Double? { lines.count == 4 ? lines[2] : lines.last }

    /// The name without the `.alt` of a second form.
    public var character: String {
        name.count > 4 && name.hasSuffix(".alt") ? String(name.dropLast(4)) : name
    }

    /// Returns the strokes as paths. Their distance from the curves is at most the tolerance, in glyph units.
    public func paths(tolerance: Double = 0.05) -> [TracePath] {
        curves.map { TracePath($0, tolerance: tolerance) }
    }

    /// The permitted orders. The first is the order of ``curves``.
    package var orders: [StrokeOrder] {
        [StrokeOrder(curves.indices.map { StrokeOrder.Step(path: $0) })] + alternatives
    }

    /// Returns the glyph with only those ``alternatives`` that satisfy a condition. An app that teaches one way to draw a
    /// letter removes the others.
    public func permitting(_ isPermitted: (StrokeOrder) -> Bool) -> Glyph {
        Glyph(
            name: name, curves: curves, alternatives: alternatives.filter(isPermitted), writingLines: writingLines,
            box: ownBox)
    }

    /// Returns a target for the glyph in a view of the given size. The ``box`` fills the view.
    ///
    /// The glyph is drawn smaller if the guide or a stroke outside the box would not fit into the view.
    ///
    /// - Throws: ``TraceInputError`` for invalid settings or an invalid size.
    public func target(in size: TraceSize, settings: TraceSettings = TraceSettings()) throws(TraceInputError)
        -> TraceTarget
    {
        try placed(in: size, settings: settings).target
    }
}
