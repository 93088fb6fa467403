/// A letter, digit or other character as strokes in drawing order.
///
/// Built-in glyphs have their cap line at y = 0, x-height at y = 50, baseline at y = 100 and descenders at y = 140.
public struct Glyph: Sendable, Hashable {
    /// The name: the character of the glyph, followed by `.alt` for a second form.
    public let name: String
    /// The strokes in drawing order, in glyph units with the y axis down.
    public let curves: [Curve]
    /// The permitted orders besides the order of ``curves``.
    public let alternatives: [StrokeOrder]
    /// The heights of the lines of a writing book from the top, in glyph units; empty if they are unknown.
    public let writingLines: [Double]

    /// Creates a glyph.
    ///
    /// - Parameters:
    ///   - name: The character of the glyph.
    ///   - curves: The strokes in drawing order.
    ///   - alternatives: The permitted orders besides the order of `curves`.
    ///   - writingLines: The heights of the lines of a writing book from the top, in glyph units.
    public init(
        name: String, curves: [Curve], alternatives: [StrokeOrder] = [], writingLines: [Double] = []
    ) {
        self.name = name
        self.curves = curves
        self.alternatives = alternatives
        self.writingLines = writingLines
    }

    /// The name without the `.alt` of a second form.
    public var character: String {
        name.count > 4 && name.hasSuffix(".alt") ? String(name.dropLast(4)) : name
    }

    /// Returns the strokes as paths, whose distance from the curves is at most the tolerance, in glyph units.
    public func paths(tolerance: Double = 0.05) -> [TracePath] {
        curves.map { TracePath($0, tolerance: tolerance) }
    }

    /// Returns the strokes as paths that fit into a frame.
    ///
    /// - Parameters:
    ///   - frame: The frame in view units. If it is too small for the margin, the paths are around its center.
    ///   - margin: The margin in view units; a margin of the threshold or more shows the entire guide.
    ///   - isStretched: A Boolean value that indicates whether to stretch the strokes to fill the frame; otherwise
    ///     their
    ///     aspect ratio is preserved.
    public func paths(in frame: TraceRect, margin: Double, isStretched: Bool = false) -> [TracePath] {
        let fit = fit(into: frame, margin: margin, isStretched: isStretched)
        return paths().map { $0.transformed(by: fit) }
    }

    /// Returns the transform from glyph coordinates that ``paths(in:margin:isStretched:)`` applies.
    public func fit(into frame: TraceRect, margin: Double, isStretched: Bool = false) -> TraceTransform {
        guard let bounds = TraceRect(around: paths().lazy.flatMap({ $0.points })) else { return .identity }
        let inner = frame.inset(by: max(0, margin))
        return isStretched ? .fill(bounds, into: inner) : .aspectFit(bounds, into: inner)
    }

    /// The permitted orders; the first is that of ``curves``.
    public var orders: [StrokeOrder] {
        [StrokeOrder(curves.indices.map { StrokeOrder.Step(path: $0) })] + alternatives
    }

    /// Returns a target for the glyph in a view of the given size.
    ///
    /// The threshold is at most an eighth of the smaller side, so that the glyph has room, and a tap cannot complete it.
    ///
    /// - Throws: ``TraceInputError`` for invalid settings or an invalid size.
    public func target(in size: TraceSize, settings: TraceSettings = TraceSettings()) throws(TraceInputError)
        -> TraceTarget
    {
        let side = min(size.width, size.height)
        guard side > 0, max(size.width, size.height).isFinite else { throw .size(size) }
        var settings = settings
        settings.threshold = min(settings.threshold, side / 8)
        let fit = fit(into: size, settings)
        return try TraceTarget(
            paths: paths().map { $0.transformed(by: fit) }, settings: settings, orders: orders,
            writingLines: writingLines.map { fit.apply(to: TracePoint(0, $0)).y })
    }

    func fit(into size: TraceSize, _ settings: TraceSettings) -> TraceTransform {
        let margin = settings.threshold.isFinite ? 2 * settings.threshold : 0
        return fit(into: TraceRect(origin: .zero, size: size), margin: margin)
    }
}
