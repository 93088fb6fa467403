/// The expected paths and the settings of a trace, with a spatial index.
///
/// A target is immutable. Create it once and share it.
public struct TraceTarget: Sendable {
    /// The expected paths, in view units.
    public let paths: [TracePath]
    /// The settings.
    public let settings: TraceSettings
    /// The distance up to which a point is on the path, in view units.
    public let threshold: Double
    /// The permitted orders of ``paths`` in ordered mode, the standard order first.
    public let orders: [StrokeOrder]
    /// The heights of the lines of a writing book, from the top, in view units. Empty if they are unknown.
    public let writingLines: [Double]
    /// The spatial index of the paths.
    package let index: PathIndex

    let lengths: [Double]
    /// The numbers of the pieces of each path in the index.
    let pieceRanges: [Range<Int>]
    let pathOfPiece: [Int32]
    /// A Boolean value for each piece that indicates whether the path turns by more than 90° at its end, as at the tip of a
    /// V. The lines on both sides of a tip are near each other, so each might draw the end of the other.
    let endsAtTip: [Bool]
    /// The distance of the start of each piece from the start of its path, along the path.
    let distances: [Double]
    /// The weight of each path in the completion: the sum of its length and a threshold. A dot therefore counts as
    /// well.
    let weights: [Double]
    let totalWeight: Double
    /// The form of each of ``orders``, or `nil` for an order that draws every path on its own.
    let forms: [StrokeForm?]

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - paths: The expected paths, in view units. A path without points is always drawn.
    ///   - settings: The settings. A threshold that is a share refers to the box of a glyph with these paths.
    ///   - orders: The permitted orders. Orders that don't contain every path exactly once are ignored. If no order is
    ///     valid, the order of `paths` is used.
    ///   - writingLines: The heights of the lines of a writing book, in view units, which don't affect the verdict.
    /// - Throws: ``TraceInputError`` for invalid settings or coordinates.
    public init(
        paths: [TracePath], settings: TraceSettings = TraceSettings(), orders: [StrokeOrder] = [],
        writingLines: [Double] = []
    ) throws(TraceInputError) {
        let side = Glyph.defaultBox(around: paths).size.width
        try self.init(
            paths: paths, settings: settings, threshold: settings.threshold.distance(inBoxOf: side), orders: orders,
            writingLines: writingLines)
    }

    /// Creates a target with a threshold in view units.
    init(
        paths: [TracePath], settings: TraceSettings, threshold: Double, orders: [StrokeOrder], writingLines: [Double]
    ) throws(TraceInputError) {
        guard (0...1).contains(settings.requiredCoverage) else { throw .requiredCoverage(settings.requiredCoverage) }
        if let detour = settings.largestDetour, !(detour >= 1) { throw .largestDetour(detour) }
        index = try PathIndex(paths: paths, radius: threshold)
        self.paths = paths
        self.settings = settings
        self.threshold = threshold
        self.writingLines = writingLines
        lengths = paths.map { $0.length }
        var ranges: [Range<Int>] = []
        for path in paths {
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<start + (path.points.isEmpty ? 0 : max(1, path.points.count - 1)))
        }
        pieceRanges = ranges
        pathOfPiece = ranges.enumerated().flatMap { repeatElement(Int32($0.offset), count: $0.element.count) }
        let pieces = index.pieces
        endsAtTip = ranges.flatMap { range in
            range.map { $0 + 1 < range.upperBound && pieces[$0].direction.dot(pieces[$0 + 1].direction) < 0 }
        }
        distances = paths.flatMap { path in
            var distance = 0.0
            return path.points.indices.dropLast(path.points.count > 1 ? 1 : 0).map { index in
                if index > 0 { distance += path.points[index - 1].distance(to: path.points[index]) }
                return distance
            }
        }
        weights = zip(paths, lengths).map { $0.points.isEmpty ? 0 : $1 + threshold }
        totalWeight = weights.reduce(0, +)
        let valid = orders.filter { $0.draws(paths: paths.count) }
        self.orders = valid.isEmpty ? [StrokeOrder(paths.indices.map { StrokeOrder.Step(path: $0) })] : valid
        forms = self.orders.map { StrokeForm($0, of: paths, settings: settings, threshold: threshold) }
    }

    /// Returns the strokes of one of ``orders`` as paths: with joined steps in one, reversed ones from their end.
    package func strokes(of order: StrokeOrder) -> [TracePath] {
        if let index = orders.firstIndex(of: order), let form = forms[index] { return form.target.paths }
        return order.steps.map { $0.isReversed ? paths[$0.path].reversed() : paths[$0.path] }
    }

    /// Returns a Boolean value that indicates whether a path is not longer than the guide is wide.
    func isShort(_ path: Int) -> Bool { lengths[path] <= 2 * threshold }

    /// Returns the share of a path that must be drawn. Of a path that is longer than 30 thresholds, only as much may be
    /// missing as of one with that length, so that a gap in it remains a gap.
    func requiredCoverage(of path: Int) -> Double {
        let longest = 30 * threshold
        guard lengths[path] > longest else { return settings.requiredCoverage }
        return 1 - (1 - settings.requiredCoverage) * longest / lengths[path]
    }

    /// Returns the maximum length of line near a path. With a longer line, the path is scribbled over. The length is
    /// infinite for a dot. It includes one and a half thresholds, and three for each path that crosses this path or starts at it.
    /// A part that goes back over the path counts a quarter, because a zigzag covers both passes at once.
    func maximumInk(of path: Int) -> Double {
        guard let detour = settings.largestDetour, lengths[path] > 0 else { return .infinity }
        var neighbors: Set<Int32> = []
        var retraced = 0.0
        for number in pieceRanges[path] {
            let piece = index.pieces[number].segment
            var again = IntervalSet()
            index.visitPieces(near: piece) { near in
                let other = index.pieces[near].segment
                if pathOfPiece[near] == path {
                    guard near < number, piece.isOpposite(other) else { return }
                    if let part = piece.part(within: threshold / 4, of: other) { again.insert(part) }
                } else if !neighbors.contains(pathOfPiece[near]), piece.part(within: threshold, of: other) != nil {
                    neighbors.insert(pathOfPiece[near])
                }
            }
            retraced += again.measure * piece.length
        }
        return detour * (lengths[path] - 0.75 * retraced) + (Double(3 * neighbors.count) + 1.5) * threshold
    }

    /// The largest tremor that adds no length to a line.
    var wobble: Double { Self.wobble(threshold) }

    static func wobble(_ threshold: Double) -> Double { threshold / 2 }
}
