/// The place of a glyph in a view.
extension Glyph {
    /// The width of the guide in the box with a standard threshold.
    private static let shareOfGuide = 8.0

    /// Returns a square around paths with room for the guide. If there are no points, the square is around the origin.
    static func defaultBox(around paths: [TracePath]) -> TraceRect {
        let bounds = TraceRect(around: paths.lazy.flatMap { $0.points }) ?? TraceRect(x: 0, y: 0, width: 0, height: 0)
        let length = max(bounds.size.width, bounds.size.height)
        // A dot has no size of its own.
        let side = length > 0 ? length * shareOfGuide / (shareOfGuide - 1) : 100
        return TraceRect(x: bounds.center.x - side / 2, y: bounds.center.y - side / 2, width: side, height: side)
    }

    /// Returns a target that fills a view of the given size, and the transform of the glyph into it.
    func placed(in size: TraceSize, settings: TraceSettings) throws(TraceInputError)
        -> (target: TraceTarget, fit: TraceTransform)
    {
        let side = min(size.width, size.height)
        guard side > 0, max(size.width, size.height).isFinite else { throw .size(size) }
        let frame = TraceRect(origin: .zero, size: size)
        // The tolerance is relative to the box, so the number of points does not depend on the size of the box.
        let box = box
        let inner = min(box.size.width, box.size.height)
        let curves = paths(tolerance: inner / 2560)
        let room = inner / (2 * Self.shareOfGuide)
        let bounds = TraceRect(around: curves.lazy.flatMap { $0.points })
        let content = bounds.map { box.union($0.inset(by: -room)) } ?? box
        var fit = TraceTransform.aspectFit(content, into: frame)
        let threshold = min(settings.threshold.distance(inBoxOf: inner * fit.scale), side / 8)
        // Smaller content also has less room around the strokes, by an eighth of the inset at most.
        let excess = threshold - room * fit.scale
        if excess > 0 { fit = .aspectFit(content, into: frame.inset(by: excess * 8 / 7)) }
        let paths = curves.map { $0.transformed(by: fit) }
        func target(_ threshold: Double) throws(TraceInputError) -> TraceTarget {
            try TraceTarget(
                paths: paths, settings: settings, threshold: threshold, orders: orders,
                writingLines: writingLines.map { fit.apply(to: TracePoint(0, $0)).y })
        }
        guard case .share = settings.threshold, paths.count > 1 else { return (try target(threshold), fit) }
        let gap = try target(2 * threshold).neighborDistance
        return (try target(max(threshold * 0.75, min(threshold, gap / 2))), fit)
    }
}

extension TraceTarget {
    /// The least distance at which a path runs beside another path, at most the threshold. It is the distance of the
    /// path's farthest point from the other path.
    fileprivate var neighborDistance: Double {
        var least = threshold
        for (number, path) in paths.enumerated() {
            guard let first = path.points.first else { continue }
            let others = Set(index.pieces(near: first).map { Int(pathOfPiece[$0]) })
            for other in others where other != number {
                least = min(least, distance(of: path, from: other, upTo: least))
                // A smaller distance makes no difference.
                if least <= threshold / 4 { return least }
            }
        }
        return least
    }

    /// Returns the distance of a path's farthest point from another path, at most the limit.
    private func distance(of path: TracePath, from other: Int, upTo limit: Double) -> Double {
        var farthest = 0.0
        let pieces = index.pieces[pieceRanges[other]]
        for segment in path.segments {
            // Between two samples at this distance, the path is at most an eighth of the threshold farther away.
            let steps = max(1, Int(min(segment.length / (threshold / 4), 1000).rounded(.up)))
            for step in 0...steps {
                let point = segment.point(at: Double(step) / Double(steps))
                let squared = pieces.reduce(.infinity) { min($0, $1.squaredDistance(to: point)) }
                farthest = max(farthest, squared.squareRoot())
                if farthest >= limit { return limit }
            }
        }
        return farthest
    }
}
