/// Which parts of the expected paths have had a pen within the threshold.
struct Coverage: Sendable {
    private var parts: [IntervalSet]
    private var lengths: [Double]
    private var dots: [Bool]
    private var completed: [Bool]

    init(_ target: TraceTarget) {
        parts = Array(repeating: IntervalSet(), count: target.pathOfPiece.count)
        lengths = Array(repeating: 0, count: target.paths.count)
        dots = Array(repeating: false, count: target.paths.count)
        completed = target.paths.map(\.points.isEmpty)
    }

    /// Adds a move and returns the share of it that is inside, 0...1.
    mutating func add(
        _ move: Segment, near candidates: [Int], target: TraceTarget, onCompletion: (Int) -> Void
    ) -> Double {
        let radius = target.settings.threshold
        var inside = IntervalSet()
        for number in candidates {
            let piece = target.index.pieces[number].segment
            guard let part = move.part(within: radius, of: piece) else { continue }
            if !inside.isWhole { inside.insert(part) }
            guard !parts[number].isWhole else { continue }
            let path = target.pathOfPiece[number]
            // The same piece as seen from the move: what of it had the pen near.
            if let covered = piece.part(within: radius, of: move) {
                lengths[path] += parts[number].insert(covered) * piece.length
                dots[path] = true
            }
            if !completed[path], share(of: path, in: target) >= target.settings.requiredCoverage - IntervalSet.tolerance
            {
                completed[path] = true
                onCompletion(path)
            }
        }
        return move.start == move.end ? (inside.intervals.isEmpty ? 0 : 1) : inside.measure
    }

    /// The drawn share of a path, 0...1; a path without length is drawn once it was touched.
    func share(of path: Int, in target: TraceTarget) -> Double {
        let length = target.lengths[path]
        guard length > 0 else { return dots[path] || target.paths[path].points.isEmpty ? 1 : 0 }
        return min(1, lengths[path] / length)
    }

    func completion(of target: TraceTarget) -> Double {
        let total = target.weights.reduce(0, +)
        guard total > 0 else { return 0 }
        return target.paths.indices.reduce(0) { $0 + share(of: $1, in: target) * target.weights[$1] } / total
    }

    func isComplete(_ target: TraceTarget) -> Bool {
        completed.allSatisfy { $0 }
    }
}
