/// The progress of a pen along the paths of one stroke order.
///
/// The frontier is the point up to which the current path is drawn. It advances while the next point of the path is
/// within the threshold of the pen, and never skips a part. A shortcut or the wrong direction therefore makes no
/// progress. The time for a move is proportional to the progress.
struct OrderTracker: Sendable {
    private let order: StrokeOrder
    private var step = 0
    /// The number of the current piece of the path in drawing direction. `share` is the drawn share of this piece.
    private var piece = 0
    private var share = 0.0
    private(set) var hasBegun = false
    private var drawnLength = 0.0
    private var isFinished: [Bool]
    private var finishedWeight = 0.0

    init(_ order: StrokeOrder) {
        self.order = order
        isFinished = Array(repeating: false, count: order.steps.count)
    }

    var currentStep: StrokeOrder.Step? { step < order.steps.count ? order.steps[step] : nil }

    func frontier(in target: TraceTarget) -> TracePoint? {
        guard let current = currentStep, !target.paths[current.path].points.isEmpty else { return nil }
        return segment(piece, of: current, target).point(at: share)
    }

    /// Returns the direction of the path at the frontier as a unit vector, or `nil` for a dot and at the end.
    func direction(in target: TraceTarget) -> TracePoint? {
        guard let current = currentStep else { return nil }
        for next in piece..<max(piece, target.pieceRanges[current.path].count) {
            let segment = segment(next, of: current, target)
            let isDrawn = next == piece && share >= 1
            if !isDrawn, segment.length > 0 { return segment.direction * (1 / segment.length) }
        }
        return nil
    }

    func completion(of target: TraceTarget) -> Double {
        guard target.totalWeight > 0 else { return 0 }
        guard let current = currentStep, hasBegun else { return finishedWeight / target.totalWeight }
        let length = target.lengths[current.path]
        let part = length > 0 ? drawnLength / length : 0
        return (finishedWeight + target.weights[current.path] * part) / target.totalWeight
    }

    private func segment(_ piece: Int, of step: StrokeOrder.Step, _ target: TraceTarget) -> Segment {
        let range = target.pieceRanges[step.path]
        guard step.isReversed else { return target.index.pieces[range.lowerBound + piece].segment }
        let forward = target.index.pieces[range.upperBound - 1 - piece].segment
        return Segment(forward.end, forward.start)
    }

    /// Advances the frontier along a move of the pen.
    mutating func advance(along move: Segment, target: TraceTarget) {
        let radius = target.threshold
        var time = 0.0
        while let current = currentStep {
            let count = target.pieceRanges[current.path].count
            guard count > 0 else {
                finishStep(target)
                continue
            }
            let segment = segment(piece, of: current, target)
            let frontier = segment.point(at: share)
            guard let contact = move.part(within: radius, of: frontier), contact.high >= time else { return }
            time = max(time, contact.low)
            hasBegun = true
            // A tap can draw only a dot.
            guard move.start != move.end || target.lengths[current.path] == 0 else { return }
            let (reached, arrival) = segment.reach(by: move, from: time, radius: radius)
            if reached > share {
                drawnLength += (reached - share) * segment.length
                share = reached
            }
            let isAtEnd = share >= 1 || segment.length == 0
            let required = target.settings.requiredCoverage * target.lengths[current.path]
            if isAtEnd, piece + 1 < count {
                piece += 1
                share = 0
                time = max(time, arrival)
            } else if isAtEnd || (drawnLength >= required && drawnLength > 0) {
                finishStep(target)
                time = max(time, arrival)
            } else {
                return
            }
        }
    }

    private mutating func finishStep(_ target: TraceTarget) {
        isFinished[order.steps[step].path] = true
        finishedWeight += target.weights[order.steps[step].path]
        step += 1
        piece = 0
        share = 0
        hasBegun = false
        drawnLength = 0
    }

    /// Returns a Boolean value that indicates whether the entire move is within the threshold of the drawn parts of the
    /// paths, including the part that this move has drawn.
    func permits(_ move: Segment, near candidates: [Int], target: TraceTarget) -> Bool {
        var parts: [Interval] = []
        for number in candidates {
            let path = Int(target.pathOfPiece[number])
            var drawn = target.index.pieces[number].segment
            if !isFinished[path] {
                guard let current = currentStep, current.path == path, hasBegun else { continue }
                let range = target.pieceRanges[path]
                let position = current.isReversed ? range.upperBound - 1 - number : number - range.lowerBound
                guard position <= piece else { continue }
                if position == piece {
                    let whole = segment(piece, of: current, target)
                    drawn = Segment(whole.start, whole.point(at: share))
                }
            }
            if let part = move.part(within: target.threshold, of: drawn) { parts.append(part) }
        }
        return move.start == move.end ? !parts.isEmpty : IntervalSet(parts).isWhole
    }
}

extension Segment {
    /// Returns the share of this segment that a pen draws if it moves along `move` from `time`, and the time of its
    /// arrival. Times are shares of the move. The pen must be within the radius of the start of this segment.
    ///
    /// The distance of two linear functions is convex, so the pairs of share and time with the pen within the radius
    /// form a convex set. The largest share is reached where the lines are nearest, or at the closest valid time.
    func reach(by move: Segment, from time: Double, radius: Double) -> (share: Double, arrival: Double) {
        if let atEnd = move.part(within: radius, of: end), atEnd.high >= time { return (1, max(time, atEnd.low)) }
        let parallel = move.direction.cross(direction)
        var best = move.direction.dot(direction) >= 0 ? 1.0 : time
        if parallel != 0 {
            // The pairs form an ellipse. Its largest share is where the offset of the pen is perpendicular to the move.
            let side = parallel > 0 ? 1.0 : -1.0
            let offset = start - move.start
            let share = (side * radius * move.length - move.direction.cross(offset)) / parallel
            let speed = move.direction.squaredLength
            if speed > 0 { best = (point(at: share) - move.start).dot(move.direction) / speed }
        }
        best = min(max(best, time), 1)
        let reached = part(within: radius, of: move.point(at: best))?.high ?? 0
        return (reached, best)
    }
}
