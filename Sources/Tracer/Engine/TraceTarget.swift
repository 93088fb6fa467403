/// What is to be traced: the expected paths, prepared for judging touches. Immutable; made once, shared freely.
public struct TraceTarget: Sendable {
    /// What is to be traced, in view units.
    public let paths: [Path]
    /// How strictly it is judged.
    public let settings: TraceSettings
    /// Permitted orders of the paths in ordered mode, by their positions in ``paths``; the first is the usual one.
    public let orders: [StrokeOrder]
    /// Answers what is near the paths.
    public let index: PathIndex

    let lengths: [Double]
    /// The pieces of each path, as numbers in the index.
    let pieceRanges: [Range<Int>]
    let pathOfPiece: [Int32]
    /// What each path counts in the completion; a dot has no length, but counts.
    let weights: [Double]

    /// - Parameters:
    ///   - paths: In view units. A path without points asks for nothing.
    ///   - settings: Threshold, mode, and how much has to be drawn.
    ///   - orders: Orders that mention a path twice, or one that does not exist, are left out; without any left, the
    ///     order of `paths` holds.
    /// - Throws: ``TraceInputError`` for settings or coordinates that can't be used.
    public init(
        paths: [Path], settings: TraceSettings = TraceSettings(), orders: [StrokeOrder] = []
    ) throws(TraceInputError) {
        guard (0...1).contains(settings.requiredCoverage) else { throw .requiredCoverage(settings.requiredCoverage) }
        if let detour = settings.largestDetour, !(detour >= 1) { throw .largestDetour(detour) }
        index = try PathIndex(paths: paths, radius: settings.threshold)
        self.paths = paths
        self.settings = settings
        lengths = paths.map(\.length)
        var ranges: [Range<Int>] = []
        for path in paths {
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<start + (path.points.isEmpty ? 0 : max(1, path.points.count - 1)))
        }
        pieceRanges = ranges
        pathOfPiece = ranges.enumerated().flatMap { repeatElement(Int32($0.offset), count: $0.element.count) }
        weights = zip(paths, lengths).map { $0.points.isEmpty ? 0 : $1 + settings.threshold }
        let valid = orders.filter { order in
            let numbers = order.steps.map(\.path)
            return Set(numbers).count == paths.count && numbers.count == paths.count
                && numbers.allSatisfy(paths.indices.contains)
        }
        self.orders = valid.isEmpty ? [StrokeOrder(paths.indices.map { StrokeOrder.Step(path: $0) })] : valid
    }

    /// The length of line near a path from which on it is not drawn, but scribbled over. Six thresholds are added for
    /// what belongs to strokes that cross the path or begin at it; a dot may be filled in at will.
    func mostInk(of path: Int) -> Double {
        guard let detour = settings.largestDetour, lengths[path] > 0 else { return .infinity }
        return detour * lengths[path] + 6 * settings.threshold
    }
}
