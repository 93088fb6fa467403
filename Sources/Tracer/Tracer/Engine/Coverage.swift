/// The drawn parts of the expected paths, and the length of the line near each path.
struct Coverage: Sendable {
    private enum State {
        case open, complete, scribbled
    }

    private var parts: [IntervalSet]
    private var lengths: [Double]
    /// The length of line drawn within the threshold of each path, measured by `Dividers`.
    private var ink: [Double]
    private var isTouched: [Bool]
    /// A cache of the maximum length of line near each path.
    private var limits: [Double]
    private var states: [State]
    /// The number of paths that are not complete.
    private var incompleteCount: Int

    init(_ target: TraceTarget) {
        parts = Array(repeating: IntervalSet(), count: target.pathOfPiece.count)
        lengths = Array(repeating: 0, count: target.paths.count)
        ink = lengths
        limits = lengths
        isTouched = Array(repeating: false, count: target.paths.count)
        states = target.paths.map { $0.points.isEmpty ? .complete : .open }
        incompleteCount = states.count { $0 == .open }
    }

    var isComplete: Bool { incompleteCount == 0 }

    func isScribbled(_ path: Int) -> Bool { states[path] == .scribbled }

    /// Adds a move and returns the share of it that is within the threshold, 0...1.
    ///
    /// - Parameter candidates: The numbers of all pieces near the move, in ascending order.
    mutating func add(
        _ move: Segment, by steps: Dividers.Steps, near candidates: [Int], target: TraceTarget,
        update: inout TraceUpdate
    ) -> Double {
        var parts: [Interval] = []
        parts.reserveCapacity(candidates.count)
        var rest = candidates[...]
        while let first = rest.first {
            let path = Int(target.pathOfPiece[first])
            let end = rest.firstIndex { $0 >= target.pieceRanges[path].upperBound } ?? rest.endIndex
            let own = add(move, by: steps, to: path, pieces: rest[..<end], target: target, update: &update)
            parts += own.intervals
            rest = rest[end...]
        }
        return move.start == move.end ? (parts.isEmpty ? 0 : 1) : IntervalSet(parts).measure
    }

    /// Adds a move to a path and returns the parts of the move within the threshold of the path.
    private mutating func add(
        _ move: Segment, by steps: Dividers.Steps, to path: Int, pieces: ArraySlice<Int>, target: TraceTarget,
        update: inout TraceUpdate
    ) -> IntervalSet {
        let radius = target.threshold
        var inside = IntervalSet()
        for number in pieces where !inside.isWhole {
            let piece = target.index.pieces[number].segment
            if let part = move.part(within: radius, of: piece) { inside.insert(part) }
        }
        guard !inside.intervals.isEmpty else { return inside }
        if !isTouched[path] { limits[path] = target.maximumInk(of: path) }
        isTouched[path] = true
        let limit = limits[path]
        let drawn = ink[path] + inside.intervals.reduce(0) { $0 + steps.length(within: $1) }
        // The path is covered either before or after the limit is exceeded within this move.
        let isDecisive = states[path] == .open && ink[path] <= limit && drawn > limit
        let before = isDecisive ? Before(parts: pieces.map { parts[$0] }, length: lengths[path], ink: ink[path]) : nil
        for number in pieces { lengths[path] += Self.cover(number, &parts[number], by: move, target) }
        if states[path] == .open, isCovered(path, target) {
            let needed = before.map { $0.inkUntilCovered(path, pieces, by: move, steps, inside, target) } ?? drawn
            states[path] = needed <= limit ? .complete : .scribbled
            if states[path] == .complete {
                incompleteCount -= 1
                update.completedPaths.append(path)
            } else {
                update.scribbledPaths.append(path)
            }
        }
        ink[path] = drawn
        return inside
    }

    /// Covers the part of a piece within the threshold of a move, and returns the length that it adds.
    private static func cover(_ number: Int, _ part: inout IntervalSet, by move: Segment, _ target: TraceTarget)
        -> Double
    {
        // A tap draws only a dot.
        guard move.start != move.end, !part.isWhole else { return 0 }
        let piece = target.index.pieces[number].segment
        guard let covered = piece.part(within: target.threshold, of: move) else { return 0 }
        return part.insert(covered) * piece.length
    }

    private func isCovered(_ path: Int, _ target: TraceTarget) -> Bool {
        target.isEnough(share(of: path, in: target))
    }

    /// The state of a path before a move.
    private struct Before {
        /// The drawn parts of the pieces near the move.
        let parts: [IntervalSet]
        let length: Double
        let ink: Double

        /// Returns the length of line near the path up to the point of the move at which the path is covered, found by
        /// bisection, so that splitting a move doesn't change it.
        func inkUntilCovered(
            _ path: Int, _ pieces: ArraySlice<Int>, by move: Segment, _ steps: Dividers.Steps, _ inside: IntervalSet,
            _ target: TraceTarget
        ) -> Double {
            var (low, high) = (0.0, 1.0)
            for _ in 0..<48 {
                let middle = (low + high) / 2
                let beginning = Segment(move.start, move.point(at: middle))
                let covered = zip(pieces, parts).reduce(length) { length, piece in
                    var part = piece.1
                    return length + Coverage.cover(piece.0, &part, by: beginning, target)
                }
                if target.isEnough(min(1, covered / target.lengths[path])) { high = middle } else { low = middle }
            }
            let beginning = Interval(low: 0, high: high)
            return inside.intervals.reduce(ink) { $0 + ($1.intersection(beginning).map(steps.length) ?? 0) }
        }
    }

    /// Returns the drawn share of a path, 0...1. A path without length is drawn when it is touched.
    func share(of path: Int, in target: TraceTarget) -> Double {
        let length = target.lengths[path]
        guard length > 0 else { return isTouched[path] || target.paths[path].points.isEmpty ? 1 : 0 }
        return min(1, lengths[path] / length)
    }

    func completion(of target: TraceTarget) -> Double {
        guard target.totalWeight > 0 else { return 0 }
        let drawn = target.paths.indices.reduce(0) { $0 + share(of: $1, in: target) * target.weights[$1] }
        return drawn / target.totalWeight
    }
}

extension TraceTarget {
    fileprivate func isEnough(_ share: Double) -> Bool { share >= settings.requiredCoverage - IntervalSet.tolerance }
}
