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
    /// The point at which the pen came down.
    private var down = TracePoint.zero
    private var drawnLength = 0.0
    private var isFinished: [Bool]
    /// The index of the order whose form is followed, or `nil` for an order that draws every path on its own.
    private let form: Int?
    private var finishedWeight = 0.0
    /// The length of each path, with a threshold for each expected path in it, so that dots count.
    private let sizes: [Double]
    /// The sum of the sizes of the paths that are not finished.
    private var openSize: Double

    /// Creates a tracker for one of the orders of a target.
    init(_ index: Int, of target: TraceTarget) {
        let form = target.forms[index]
        self.form = form == nil ? nil : index
        order = form?.target.orders[0] ?? target.orders[index]
        isFinished = Array(repeating: false, count: order.steps.count)
        let followed = form?.target ?? target
        sizes = followed.paths.indices.map { path in
            guard !followed.paths[path].points.isEmpty else { return 0 }
            let parts = form?.strokes[path].reduce(0) { $0 + $1.part.upperBound - $1.part.lowerBound } ?? 1
            return followed.lengths[path] + parts * target.threshold
        }
        openSize = sizes.reduce(0, +)
    }

    /// Returns the paths that are followed.
    private func followed(_ target: TraceTarget) -> TraceTarget { form.flatMap { target.forms[$0]?.target } ?? target }

    private var currentStep: StrokeOrder.Step? { step < order.steps.count ? order.steps[step] : nil }

    /// A Boolean value that indicates whether every path is drawn.
    var isAtEnd: Bool { step >= order.steps.count }

    /// Returns the step of the order at the frontier, or `nil` at the end.
    func expectedStep(in target: TraceTarget) -> StrokeOrder.Step? {
        guard let current = currentStep, let form = form.flatMap({ target.forms[$0] }) else { return currentStep }
        return form.step(of: current.path, at: piece)
    }

    /// The length of line that is missing up to the end, with a threshold for each path. Unlike the completion, it is
    /// comparable among orders: a way back over a drawn line is no progress.
    var missingLength: Double { openSize - (hasBegun ? drawnLength : 0) }

    /// ``missingLength`` without the drawn part of a stroke that has begun.
    var missingLengthBeforeStroke: Double { openSize }

    func frontier(in target: TraceTarget) -> TracePoint? {
        let target = followed(target)
        guard let current = currentStep, !target.paths[current.path].points.isEmpty else { return nil }
        return segment(piece, of: current, target).point(at: share)
    }

    /// Returns the direction of the path at the frontier as a unit vector, or `nil` for a dot and at the end.
    func direction(in target: TraceTarget) -> TracePoint? {
        let target = followed(target)
        guard let current = currentStep else { return nil }
        for next in piece..<max(piece, target.pieceRanges[current.path].count) {
            let segment = segment(next, of: current, target)
            let isDrawn = next == piece && share >= 1
            if !isDrawn, segment.length > 0 { return segment.direction * (1 / segment.length) }
        }
        return nil
    }

    /// Returns the part of the current path that comes next, for an arrow: two thresholds long, or up to 4.5 if a corner or
    /// the end is that near. It never passes a corner, which a child who goes on straight would miss.
    ///
    /// A path counts as drawn before its end, in the letters up to 1.75 thresholds before it. An arrow that stops there would
    /// be the last one, and leave a gap. So the arrow reaches the end as soon as the next one might not appear.
    ///
    /// The frontier is about a threshold ahead of the pen, so the part begins a threshold before it, where the pen was
    /// lifted. Beside a sharp corner, the pen is near both of its sides, and the frontier is up to half a threshold farther
    /// ahead, so the part then begins at the corner.
    func nextPart(in whole: TraceTarget) -> [TracePoint] {
        guard let current = currentStep, let frontier = frontier(in: whole) else { return [] }
        guard let ahead = direction(in: whole) else { return [frontier] }
        let target = followed(whole)
        var part = [frontier]
        var (length, heading) = (0.0, ahead)
        let farthest = 1.5 * target.threshold
        for number in (0...piece).reversed() where length < farthest {
            let segment = segment(number, of: current, target)
            let drawn = Segment(segment.start, part[0])
            guard drawn.length > 0 else { continue }
            if drawn.direction.isCorner(before: heading) { break }
            heading = drawn.direction
            let share = min(1, (farthest - length) / drawn.length)
            part.insert(drawn.point(at: 1 - share), at: 0)
            length = share < 1 ? farthest : length + drawn.length
        }
        if length >= farthest {
            part = TracePath(points: part).part(from: length - target.threshold, to: length)
            length = target.threshold
        }
        heading = ahead
        let longest = 4.5 * target.threshold
        for number in piece..<target.pieceRanges[current.path].count where length < longest {
            let missing = Segment(part[part.count - 1], segment(number, of: current, target).end)
            guard missing.length > 0 else { continue }
            if heading.isCorner(before: missing.direction) { break }
            heading = missing.direction
            let share = min(1, (longest - length) / missing.length)
            part.append(missing.point(at: share))
            length = share < 1 ? longest : length + missing.length
        }
        return length < longest ? part : TracePath(points: part).part(from: 0, to: 2 * target.threshold)
    }

    /// Returns the part of the current path up to the frontier, or an empty array if nothing of it is drawn.
    func drawnPart(in target: TraceTarget) -> [TracePoint] {
        let target = followed(target)
        guard hasBegun, drawnLength > 0, let current = currentStep else { return [] }
        let pieces = (0...piece).map { segment($0, of: current, target) }
        return pieces.map { $0.start } + [pieces[piece].point(at: share)]
    }

    func completion(of target: TraceTarget) -> Double {
        let target = followed(target)
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
        // Without a form, the target is not copied.
        guard let form else { return follow(move, target) }
        if let form = target.forms[form] { follow(move, form.target) }
    }

    private mutating func follow(_ move: Segment, _ target: TraceTarget) {
        if move.start == move.end {
            down = move.start
            skipRetrace(to: move.start, target)
        }
        let radius = target.threshold
        var time = 0.0
        while let current = currentStep {
            let count = target.pieceRanges[current.path].count
            guard count > 0 else {
                finishStep(target)
                continue
            }
            guard let start = forwardTime(of: move, on: current, target) else { return }
            time = max(time, start)
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
            let required = target.requiredCoverage(of: current.path) * target.lengths[current.path]
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

    /// Returns the time of a move from which the pen is ahead of the point at which it came down, or `nil` for never.
    ///
    /// The pen is near all of a short path at once, so the direction of its stroke decides. On other paths the time is 0.
    private func forwardTime(of move: Segment, on step: StrokeOrder.Step, _ target: TraceTarget) -> Double? {
        let points = target.paths[step.path].points
        guard move.start != move.end, target.isShort(step.path), let first = points.first, let last = points.last else {
            return 0
        }
        let heading = (last - first) * (step.isReversed ? -1 : 1)
        guard heading != .zero else { return 0 }
        let (before, after) = ((move.start - down).dot(heading), (move.end - down).dot(heading))
        if before > 0 { return 0 }
        return after > 0 ? before / (before - after) : nil
    }

    /// Moves the frontier to a point where the pen comes down, if the path goes back over itself from the frontier to
    /// that point. The retrace is drawn already, as in a b whose bowl is a stroke of its own.
    private mutating func skipRetrace(to point: TracePoint, _ target: TraceTarget) {
        guard let current = currentStep, hasBegun else { return }
        let count = target.pieceRanges[current.path].count
        var next = piece
        if share >= 1 { next += 1 }
        guard next > 0, count <= 512 else { return }
        let first = next
        var found: (piece: Int, share: Double)?
        while next < count, isRetrace(next, from: first, of: current, target) {
            let segment = segment(next, of: current, target)
            if let near = segment.part(within: target.threshold, of: point) { found = (next, near.high) }
            next += 1
        }
        guard let found, found.piece > piece || found.share > share else { return }
        let skipped = (piece...found.piece).reduce(0) { $0 + segment($1, of: current, target).length }
        let ends =
            share * segment(piece, of: current, target).length
            + (1 - found.share) * segment(found.piece, of: current, target).length
        drawnLength += skipped - ends
        (piece, share) = (found.piece, found.share)
    }

    /// Returns a Boolean value that indicates whether a piece goes back over the pieces before another one.
    private func isRetrace(_ number: Int, from first: Int, of step: StrokeOrder.Step, _ target: TraceTarget) -> Bool {
        let piece = segment(number, of: step, target)
        return (0..<first).contains { earlier in
            let other = segment(earlier, of: step, target)
            let reach = target.threshold / 4
            return piece.isOpposite(other)
                && other.distance(to: piece.end) <= reach && other.distance(to: piece.point(at: 0.5)) <= reach
        }
    }

    /// Returns to the first stroke that is not drawn, although the frontier has reached its end: the dots of a dotted
    /// line take the frontier along, but they draw nothing.
    mutating func reopen(_ isDrawn: (Int) -> Bool, target: TraceTarget) {
        guard isAtEnd else { return }
        let form = form.flatMap { target.forms[$0] }
        let followed = form?.target ?? target
        guard
            let missing = order.steps.firstIndex(where: { step in
                let steps = form?.strokes[step.path] ?? [step]
                return steps.contains { !isDrawn($0.path) }
            })
        else { return }
        step = missing
        isFinished[order.steps[missing].path] = false
        openSize += sizes[order.steps[missing].path]
        finishedWeight -= followed.weights[order.steps[missing].path]
    }

    private mutating func finishStep(_ target: TraceTarget) {
        isFinished[order.steps[step].path] = true
        openSize -= sizes[order.steps[step].path]
        finishedWeight += target.weights[order.steps[step].path]
        repeat { step += 1 } while step < order.steps.count && isFinished[order.steps[step].path]
        piece = 0
        share = 0
        hasBegun = false
        drawnLength = 0
    }

    /// Returns a Boolean value that indicates whether the entire move is within the threshold of the drawn parts of the
    /// paths, including the part that this move has drawn.
    func permits(_ move: Segment, near candidates: [Int], target whole: TraceTarget) -> Bool {
        let target = followed(whole)
        let candidates = form == nil ? candidates : target.index.candidates(near: move)
        var parts: [Interval] = []
        for number in candidates {
            let path = Int(target.pathOfPiece[number])
            var drawn = target.index.pieces[number].segment
            if !isFinished[path] {
                guard let current = currentStep, current.path == path, hasBegun,
                    drawnLength > 0 || forwardTime(of: move, on: current, target) != nil
                else { continue }
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
