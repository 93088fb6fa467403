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
    /// A Boolean value for each piece that indicates whether it ends at a tip that no line has come near yet.
    private var isTipOpen: [Bool]
    /// The number of such tips of each path.
    private var openTips: [Int]
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
        isTipOpen = target.endsAtTip
        openTips = target.pieceRanges.map { range in range.count { target.endsAtTip[$0] } }
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
        var before = isDecisive ? Before(parts: pieces.map { parts[$0] }, length: lengths[path], ink: ink[path]) : nil
        for number in pieces {
            lengths[path] += Self.cover(number, &parts[number], by: move, target)
            let end = target.index.pieces[number].segment.end
            if isTipOpen[number], move.distance(to: end) <= radius {
                isTipOpen[number] = false
                openTips[path] -= 1
                before?.openTips.append(end)
            }
        }
        ink[path] = drawn
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
        return inside
    }

    /// Covers the part of a piece that a move goes along within the threshold, and returns the length that it adds.
    ///
    /// A move goes along the part between the projections of its ends, up to half a threshold beyond them. It does not
    /// cover a part that is only near its start or end, so a gap in the line remains a gap. At the ends of a path, all
    /// points near the move are covered, because no line continues there.
    private static func cover(_ number: Int, _ part: inout IntervalSet, by move: Segment, _ target: TraceTarget)
        -> Double
    {
        // A tap draws only a dot.
        guard move.start != move.end, !part.isWhole else { return 0 }
        let piece = target.index.pieces[number].segment
        guard let near = piece.part(within: target.threshold, of: move) else { return 0 }
        var added = piece.part(along: move, within: target.threshold).map { part.insert($0) } ?? 0
        for end in target.ends(ofPiece: number) {
            if let covered = end.intersection(near) { added += part.insert(covered) }
        }
        return added * piece.length
    }

    private func isCovered(_ path: Int, _ target: TraceTarget) -> Bool {
        openTips[path] == 0 && target.isEnough(share(of: path, in: target), of: path)
    }

    /// The state of a path before a move.
    private struct Before {
        /// The drawn parts of the pieces near the move.
        let parts: [IntervalSet]
        let length: Double
        let ink: Double
        /// The tips that the move comes near first.
        var openTips: [TracePoint] = []

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
                let ink = drawn(until: middle, steps, inside)
                if target.isEnough(target.share(of: path, covered: covered, ink: ink), of: path),
                    openTips.allSatisfy({ beginning.distance(to: $0) <= target.threshold })
                {
                    high = middle
                } else {
                    low = middle
                }
            }
            return drawn(until: high, steps, inside)
        }

        /// Returns the length of line near the path up to a share of the move.
        private func drawn(until share: Double, _ steps: Dividers.Steps, _ inside: IntervalSet) -> Double {
            let beginning = Interval(low: 0, high: share)
            return inside.intervals.reduce(ink) { $0 + ($1.intersection(beginning).map(steps.length) ?? 0) }
        }
    }

    /// Returns the drawn share of a path, 0...1. A path without length is drawn when it is touched.
    func share(of path: Int, in target: TraceTarget) -> Double {
        let length = target.lengths[path]
        guard length > 0 else { return isTouched[path] || target.paths[path].points.isEmpty ? 1 : 0 }
        return target.share(of: path, covered: lengths[path], ink: ink[path])
    }

    /// Returns a Boolean value that indicates whether a path is covered, with or without scribbling.
    func isDrawn(_ path: Int) -> Bool { states[path] != .open }

    func completion(of target: TraceTarget) -> Double {
        guard target.totalWeight > 0 else { return 0 }
        let drawn = target.paths.indices.reduce(0) { $0 + share(of: $1, in: target) * target.weights[$1] }
        return drawn / target.totalWeight
    }
}

extension Segment {
    /// Returns the part of this segment that a move goes along, or `nil` if there is none.
    ///
    /// A point of the move covers the part around its projection, up to half the radius to both sides, and less near
    /// the edge of the guide. Its limits are concave along the move, so they are found at the ends of the move and
    /// where it crosses these distances, and splitting a move changes nothing.
    fileprivate func part(along move: Segment, within radius: Double) -> Interval? {
        let length = length
        guard length > 0 else { return .whole }
        let along = direction * (1 / length)
        let offset = move.start - start
        let (position, slope) = (offset.dot(along), move.direction.dot(along))
        let (height, rise) = (offset.cross(along), move.direction.cross(along))
        let inner = 0.866 * radius
        var found: Interval?
        func add(_ share: Double, _ distance: Double) {
            guard share >= 0, share <= 1, distance <= radius else { return }
            let margin = radius / 2 * min(1, (radius - distance) / (radius - inner))
            let place = position + share * slope
            found = Interval(low: place - margin, high: place + margin).hull(found)
        }
        add(0, abs(height))
        add(1, abs(height + rise))
        if rise != 0 {
            for edge in [radius, inner] {
                add((edge - height) / rise, edge)
                add((-edge - height) / rise, edge)
            }
        }
        return found.flatMap { Interval(low: $0.low / length, high: $0.high / length).intersection(.whole) }
    }
}

extension TraceTarget {
    /// Returns the parts of a piece that are within a threshold of the start and of the end of its path, along the path.
    fileprivate func ends(ofPiece number: Int) -> [Interval] {
        let (path, before) = (Int(pathOfPiece[number]), distances[number])
        let length = index.pieces[number].segment.length
        let after = lengths[path] - before - length
        guard before < threshold || after < threshold, length > 0 else { return [] }
        var ends: [Interval] = []
        if before < threshold { ends.append(Interval(low: 0, high: min(1, (threshold - before) / length))) }
        if after < threshold { ends.append(Interval(low: max(0, 1 - (threshold - after) / length), high: 1)) }
        return ends
    }

    /// Returns the drawn share of a path with a length, 0...1. The length of the line bounds it, because dots with
    /// gaps are no line.
    fileprivate func share(of path: Int, covered: Double, ink: Double) -> Double {
        // With a tiny threshold, the number of steps is limited, and a dot covers almost nothing.
        let bound = threshold > 1e-9 * lengths[path] ? ink / 0.7 + 1.5 * threshold : covered
        return min(1, min(covered, bound) / lengths[path])
    }

    fileprivate func isEnough(_ share: Double, of path: Int) -> Bool {
        share >= requiredCoverage(of: path) - IntervalSet.tolerance
    }
}
