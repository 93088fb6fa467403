/// The strokes of an order that joins or splits paths, as paths of their own.
///
/// A form is judged as a letter with these strokes. A joined stroke includes the way back over a drawn line.
struct StrokeForm: Sendable {
    /// The steps of each path of ``target``.
    let strokes: [[StrokeOrder.Step]]
    /// The strokes as expected paths in their only order.
    let target: TraceTarget
    /// The index of the piece of each path of ``target`` with which each of its steps begins. The way to the start of a
    /// step belongs to it.
    private let firstPieces: [[Int]]

    /// Creates the form of an order, or returns `nil` if the order draws every path on its own.
    init?(_ order: StrokeOrder, of paths: [TracePath], settings: TraceSettings, threshold: Double) {
        guard order.steps.contains(where: { $0.isJoined || !$0.isWhole }) else { return nil }
        strokes = order.strokes
        let joined = strokes.map { Self.path(of: $0, paths, threshold) }
        guard
            let target = try? TraceTarget(
                paths: joined.map { $0.path }, settings: settings, threshold: threshold, orders: [], writingLines: [])
        else { return nil }
        self.target = target
        firstPieces = joined.map { $0.firstPieces }
    }

    /// Returns the step of a path of ``target`` to which a piece belongs.
    func step(of path: Int, at piece: Int) -> StrokeOrder.Step {
        strokes[path][firstPieces[path].lastIndex { $0 <= piece } ?? 0]
    }

    private static func path(of steps: [StrokeOrder.Step], _ paths: [TracePath], _ threshold: Double)
        -> (path: TracePath, firstPieces: [Int])
    {
        var points: [TracePoint] = []
        var firstPieces: [Int] = []
        for step in steps {
            firstPieces.append(max(0, points.count - 1))
            let whole = paths[step.path]
            var next = step.isWhole ? whole.points : whole.part(step.part)
            if step.isReversed { next.reverse() }
            if let end = points.last, let start = next.first, end.distance(to: start) > threshold {
                points += connection(from: points, to: next, threshold)
            }
            points += next.first == points.last ? Array(next.dropFirst()) : next
        }
        return (TracePath(points: points), firstPieces)
    }

    /// Returns the points between a drawn line and the next one: back over the drawn line, or along the next one to
    /// its start. Returns an empty array for a straight connection.
    private static func connection(from drawn: [TracePoint], to next: [TracePoint], _ threshold: Double)
        -> [TracePoint]
    {
        guard let end = drawn.last, let start = next.first else { return [] }
        if let place = nearest(to: start, on: drawn, within: threshold) {
            return drawn[(place.index + 1)...].reversed().dropFirst() + [place.point]
        }
        if let place = nearest(to: end, on: next, within: threshold) {
            return [place.point] + next[...place.index].reversed()
        }
        return []
    }

    /// Returns the nearest point of a line, and the index of the point before it.
    private static func nearest(to point: TracePoint, on line: [TracePoint], within radius: Double)
        -> (point: TracePoint, index: Int)?
    {
        var (found, least) = ((point: TracePoint, index: Int)?.none, radius)
        for (index, (start, end)) in zip(line, line.dropFirst()).enumerated() {
            let segment = Segment(start, end)
            let place = segment.point(at: segment.nearestShare(to: point))
            if place.distance(to: point) < least { (found, least) = ((place, index), place.distance(to: point)) }
        }
        return found
    }
}

extension TracePath {
    /// Returns the points of a part, given as shares of the length.
    fileprivate func part(_ part: ClosedRange<Double>) -> [TracePoint] {
        let length = length
        let (from, to) = (part.lowerBound * length, part.upperBound * length)
        var kept: [TracePoint] = []
        var distance = 0.0
        for (index, point) in points.enumerated() {
            if index > 0 { distance += points[index - 1].distance(to: point) }
            if distance > from, distance < to { kept.append(point) }
        }
        let ends = [point(at: from), point(at: to)].compactMap { $0 }
        return Array(ends.prefix(1)) + kept + Array(ends.suffix(1))
    }
}
