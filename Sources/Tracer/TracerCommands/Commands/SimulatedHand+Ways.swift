import Tracer

/// The lines that a hand follows, before its waves and noise.
extension SimulatedHand {
    mutating func ways(of target: TraceTarget) -> [TracePath] {
        var ways = target.paths.filter { !$0.points.isEmpty }
        guard let first = ways.first else { return [] }
        switch kind {
        case .reversed: return ways.map { $0.reversed() }
        case .swapped:
            if let (one, other) = Self.swaps(of: target).randomElement(using: &random) {
                ways.swapAt(one, other)
                return ways
            }
            return [first.half(from: 0.5), first.half(from: 0)] + ways.dropFirst()
        case .omitted:
            if ways.count == 1 { return [first.half(from: 0)] }
            ways.remove(at: .random(in: ways.indices, using: &random))
            return ways
        case .closed: return ways.map { Self.canClose($0, target) ? $0.closed : $0 }
        case .tapped:
            return ways.map { way in
                let distance = Double.random(in: 0...1, using: &random) * way.length
                return TracePath(points: [way.point(at: distance) ?? .zero])
            }
        case .scribbled: return [Self.scribble(over: target)]
        default: return ways
        }
    }

    /// Returns a Boolean value that indicates whether the hand draws the letter differently from a correct hand.
    func differs(on target: TraceTarget) -> Bool {
        kind != .closed || target.paths.contains { Self.canClose($0, target) }
    }

    /// Returns the pairs of strokes that no order permits to swap.
    private static func swaps(of target: TraceTarget) -> [(Int, Int)] {
        let indices = target.paths.indices
        let permitted = target.orders.map { $0.steps.map(\.path) }
        return indices.flatMap { one in indices.dropFirst(one + 1).map { (one, $0) } }.filter { one, other in
            var order = Array(indices)
            order.swapAt(one, other)
            return !permitted.contains(order)
        }
    }

    /// Returns a Boolean value that indicates whether the line from the end of a path to its start is beside the letter, for
    /// a fifth of the letter's length.
    private static func canClose(_ path: TracePath, _ target: TraceTarget) -> Bool {
        guard let first = path.points.first, let last = path.points.last else { return false }
        let line = Segment(last, first)
        let total = target.paths.reduce(0) { $0 + $1.length }
        return (1 - target.index.share(inside: line)) * line.length > 0.2 * total
    }

    /// Returns rows across the letter that are one threshold apart.
    private static func scribble(over target: TraceTarget) -> TracePath {
        let frame = TraceRect(around: target.paths.flatMap(\.points))?.inset(by: -target.threshold / 2)
        guard let frame else { return TracePath(points: []) }
        let rows = Int(frame.size.height / target.threshold) + 1
        return TracePath(
            points: (0...rows).flatMap { row in
                let y = frame.origin.y + frame.size.height * Double(row) / Double(rows)
                let ends = [TracePoint(frame.origin.x, y), TracePoint(frame.maximum.x, y)]
                return row.isMultiple(of: 2) ? ends : ends.reversed()
            })
    }
}

extension TracePath {
    /// The path with a straight line to its start.
    fileprivate var closed: TracePath { TracePath(points: points + points.prefix(1)) }

    /// Returns half of the path, which begins at a share of its length.
    fileprivate func half(from share: Double) -> TracePath {
        TracePath(points: (0...100).compactMap { point(at: (share + Double($0) / 200) * length) })
    }
}
