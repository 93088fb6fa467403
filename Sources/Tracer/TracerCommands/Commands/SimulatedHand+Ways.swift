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
        case .dotted, .hatched:
            let step = Double.random(in: kind == .dotted ? 1...2 : 0.6...1.2, using: &random) * target.threshold
            return ways.flatMap { kind == .dotted ? $0.dots(step) : $0.hatches(step, 0.9 * target.threshold) }
        case .gapped:
            let chosen = ways.indices.filter { ways[$0].canGap(target) }.randomElement(using: &random)
            return ways.indices.flatMap { $0 == chosen ? ways[$0].parts(around: 3 * target.threshold) : [ways[$0]] }
        case .dashed: return ways.flatMap { $0.canDash(target) ? $0.dashes(target.threshold) : [$0] }
        case .coloredIn:
            return ways.flatMap { way in [-0.8, -0.4, 0, 0.4, 0.8].map { way.moved(by: $0 * target.threshold) } }
        case .marked: return ways + Self.mark(beside: target)
        case .lifted: return ways.flatMap(\.lifted)
        case .interrupted:
            var parts: [TracePath] = []
            for way in ways {
                guard way.length > 4 * target.threshold else {
                    parts.append(way)
                    continue
                }
                let place = Double.random(in: 0.3...0.7, using: &random) * way.length
                let back = Double.random(in: -0.3...1, using: &random) * target.threshold
                parts += [way.part(0, place), way.part(place - back, way.length)]
            }
            return parts
        case .permitted: return target.orders.randomElement(using: &random).map(target.strokes) ?? ways
        default: return ways
        }
    }

    /// Returns a Boolean value that indicates whether the hand draws the letter differently from a correct hand.
    func differs(on target: TraceTarget) -> Bool {
        switch kind {
        case .closed: target.paths.contains { Self.canClose($0, target) }
        case .lifted: target.paths.contains { $0.lifted.count > 1 }
        case .interrupted: target.paths.contains { $0.length > 4 * target.threshold }
        case .snaking: target.paths.contains { $0.length > 5 * target.threshold }
        case .marked: !Self.mark(beside: target).isEmpty
        case .gapped: target.paths.contains { $0.canGap(target) }
        case .dashed: target.paths.contains { $0.canDash(target) }
        default: true
        }
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

    /// Returns a line in the view that is far from the letter, or an empty array if there is no room.
    private static func mark(beside target: TraceTarget) -> [TracePath] {
        let (size, reach) = (LetterArguments.size, target.threshold)
        for corner in [(1, 1), (size.width - 1, 1), (1, size.height - 1), (size.width - 1, size.height - 1)] {
            let (x, y) = corner
            let line = Segment(TracePoint(x, y), TracePoint(x + (x < reach ? 3 : -3) * reach, y))
            if target.index.share(inside: line) == 0 { return [TracePath(points: [line.start, line.end])] }
        }
        return []
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

    /// Dots of one unit along the path.
    fileprivate func dots(_ step: Double) -> [TracePath] {
        stride(from: 0, through: length, by: step).compactMap { start in
            point(at: start).map { TracePath(points: [$0, $0 + TracePoint(1, 0)]) }
        }
    }

    /// Lines across the path, up to a distance on both sides.
    fileprivate func hatches(_ step: Double, _ reach: Double) -> [TracePath] {
        stride(from: 0, through: length, by: step).compactMap { start in
            let across = normal(at: start, reach: reach / 4) * reach
            return point(at: start).map { TracePath(points: [$0 - across, $0 + across]) }
        }
    }

    /// Returns a Boolean value that indicates whether nothing else of the letter fills a gap at the middle of the path.
    fileprivate func canGap(_ target: TraceTarget) -> Bool {
        let gap = 3 * target.threshold
        return length > 3 * gap && isOpen((length - gap) / 2, (length + gap) / 2, target)
    }

    /// Returns a Boolean value that indicates whether nothing else of the letter fills one of the gaps between dashes.
    fileprivate func canDash(_ target: TraceTarget) -> Bool {
        dashStarts(target.threshold).dropFirst().contains { isOpen($0 - 2 * target.threshold, $0, target) }
    }

    /// Returns a Boolean value that indicates whether a gap in the path shows: no bend brings its ends together, and nothing
    /// else of the letter is beside it. The path itself may come back, as in a hook.
    private func isOpen(_ start: Double, _ end: Double, _ target: TraceTarget) -> Bool {
        guard let middle = point(at: (start + end) / 2), let first = point(at: start), let last = point(at: end),
            first.distance(to: last) > 0.9 * (end - start)
        else { return false }
        let reach = target.threshold
        let parts = [part(0, max(0, start - reach)), part(min(end + reach, length), length)]
        return (target.paths.filter { $0 != self } + parts).allSatisfy { other in
            other.segments.allSatisfy { $0.distance(to: middle) > 1.5 * reach }
        }
    }

    /// The parts of the path before and after a gap at its middle.
    fileprivate func parts(around gap: Double) -> [TracePath] {
        [part(0, (length - gap) / 2), part((length + gap) / 2, length)]
    }

    /// Dashes of three thresholds with gaps of two.
    fileprivate func dashes(_ threshold: Double) -> [TracePath] {
        dashStarts(threshold).map { part($0, min($0 + 3 * threshold, length)) }
    }

    private func dashStarts(_ threshold: Double) -> [Double] {
        Array(stride(from: 0, to: length - threshold, by: 5 * threshold))
    }

    fileprivate func part(_ start: Double, _ end: Double) -> TracePath {
        TracePath(points: (0...100).compactMap { point(at: start + (end - start) * Double($0) / 100) })
    }

    /// The path at a distance to its side.
    fileprivate func moved(by distance: Double) -> TracePath {
        let count = max(1, Int(length / 5))
        return TracePath(
            points: (0...count).compactMap { number in
                let place = length * Double(number) / Double(count)
                return point(at: place).map { $0 + normal(at: place, reach: abs(distance) / 4 + 1) * distance }
            })
    }

    /// The parts of the path between its sharp turns, without the straight parts that go back over the part before.
    fileprivate var lifted: [TracePath] {
        var parts: [[TracePoint]] = [[]]
        var previous: Segment?
        for segment in segments where segment.length > 0 {
            if let last = previous, segment.goesBack(over: last) {
                parts.append([])
            } else {
                parts[parts.count - 1] += parts[parts.count - 1].isEmpty ? [segment.start, segment.end] : [segment.end]
            }
            previous = segment
        }
        return parts.filter { !$0.isEmpty }.map { TracePath(points: $0) } + (length == 0 ? [self] : [])
    }

    /// Returns half of the path, which begins at a share of its length.
    fileprivate func half(from share: Double) -> TracePath {
        TracePath(points: (0...100).compactMap { point(at: (share + Double($0) / 200) * length) })
    }
}

extension Segment {
    /// Returns a Boolean value that indicates whether the segment ends on another one and has about its opposite
    /// direction.
    fileprivate func goesBack(over other: Segment) -> Bool {
        let (one, two) = (end - start, other.end - other.start)
        return one.x * two.x + one.y * two.y < -0.9 * length * other.length && other.distance(to: end) < 1
    }
}
