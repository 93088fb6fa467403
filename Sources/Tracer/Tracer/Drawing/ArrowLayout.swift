/// The arrows of a letter. They show the beginning of each stroke, and the ways in and out where a stroke goes back over
/// itself, as in b: down, up, round. Arrows don't run into starts, ends and each other.
struct ArrowLayout {
    /// An arrow: a part of a path, which may be moved to its side, with a head.
    struct Arrow {
        let shaft: [TracePoint]
        let head: [TracePoint]

        /// Creates an arrow, or returns `nil` for a part without length.
        init?(along shaft: [TracePoint], unit: Double) {
            let line = TracePath(points: shaft)
            guard let tip = shaft.last, line.length > 0 else { return nil }
            self.shaft = shaft
            head = ArrowLayout.head(at: tip, line.heading(at: line.length, unit), unit)
        }

        /// Returns a Boolean value that indicates whether the arrow touches the shaft of another one.
        func isCovered(by other: [TracePoint], unit: Double) -> Bool {
            other.count > 1 && shaft.contains { Self.distance(from: other, to: $0) < 0.35 * unit }
        }

        /// Returns the distance from a point to the arrow.
        func distance(to point: TracePoint) -> Double {
            min(Self.distance(from: shaft, to: point), Self.distance(from: head, to: point))
        }

        func distance(to other: Arrow) -> Double {
            let points = other.shaft + other.head
            let there = points.reduce(.infinity) { min($0, distance(to: $1)) }
            return (shaft + head).reduce(there) { min($0, other.distance(to: $1)) }
        }

        private static func distance(from points: [TracePoint], to point: TracePoint) -> Double {
            TracePath(points: points).segments.reduce(.infinity) { min($0, $1.distance(to: point)) }
        }
    }

    private(set) var arrows: [Arrow] = []
    private let unit: Double
    private let starts: [TracePoint]
    private let ends: [TracePoint]

    init(of paths: [TracePath], unit: Double) {
        self.unit = unit
        starts = paths.map { $0.points[0] }
        ends = paths.compactMap { $0.length > 0 ? $0.points.last : nil }
        for path in paths { addFirst(of: path) }
        for path in paths {
            for turn in path.turns(unit) { addArrows(at: turn, of: path) }
        }
    }

    /// Adds the arrow that begins beside the start dot.
    private mutating func addFirst(of path: TracePath) {
        let last = min(0.8 * path.length, 6 * unit)
        guard min(2.6 * unit, last) > 1.3 * unit else { return }
        let begins = [0.85, 1.3, 1.8, 2.3, 2.8, 3.3]
        let arrows = begins.flatMap { begin in
            [1.75, 1.3, 0.95].compactMap { length -> Arrow? in
                let end = (begin + length) * unit
                return end <= max(last, 0) ? arrow(along: path, from: begin * unit, to: end) : nil
            }
        }
        if let arrow = arrows.first(where: isFree) ?? arrow(along: path, from: 0.8 * unit, to: min(2.6 * unit, last)) {
            self.arrows.append(arrow)
        }
    }

    /// Adds the arrows before a turn, on the way back, and where the path leaves the line that it has drawn.
    private mutating func addArrows(at turn: TracePath.Turn, of path: TracePath) {
        let (low, high) = (turn.distance - turn.retraced, turn.distance + turn.retraced)
        let isOther = path.heading(at: low + unit / 2, unit).dot(path.heading(at: turn.legStart, unit)) < 0.7
        if isOther { addOne(along: path, from: low, to: turn.distance - 0.2 * unit) }
        let isStraight = path.heading(at: high + 2.5 * unit, unit).dot(path.heading(at: high - 0.3 * unit, unit)) > 0.9
        addOne(along: path, from: turn.distance + 0.4 * unit, to: high + (isStraight ? 3 * unit : 0))
        if !isStraight { addOne(along: path, from: high + 0.2 * unit, to: min(high + 7 * unit, path.length)) }
    }

    /// Adds an arrow at the first free position between two distances from the start, if there is any.
    private mutating func addOne(along path: TracePath, from low: Double, to high: Double) {
        let high = min(high, path.length - 0.5 * unit)
        for length in [1.75, 1.3, 0.95] where high - low >= length * unit {
            let steps = Self.count((high - low - length * unit) / (unit / 4))
            for begin in (0...steps).map({ low + Double($0) * unit / 4 }) {
                for side in [0, 0.5, -0.5] {
                    guard
                        let arrow = arrow(along: path, from: begin, to: begin + length * unit, aside: side * unit),
                        isFree(arrow)
                    else { continue }
                    arrows.append(arrow)
                    return
                }
            }
        }
    }

    private func isFree(_ arrow: Arrow) -> Bool {
        !starts.contains { arrow.distance(to: $0) < 0.68 * unit }
            && !ends.contains { arrow.distance(to: $0) < 0.84 * unit }
            && !arrows.contains { arrow.distance(to: $0) < 0.24 * unit }
    }

    /// Returns an arrow along a part of a path, or `nil` for a part without length.
    private func arrow(along path: TracePath, from low: Double, to high: Double, aside: Double = 0) -> Arrow? {
        var shaft = path.part(from: low, to: high)
        if aside != 0 {
            let path = TracePath(points: shaft)
            var distance = 0.0
            shaft = shaft.indices.map { index in
                if index > 0 { distance += shaft[index - 1].distance(to: shaft[index]) }
                let heading = path.heading(at: distance, unit)
                return shaft[index] + TracePoint(-heading.y, heading.x) * aside
            }
        }
        guard TracePath(points: shaft).length > 0.3 * unit else { return nil }
        return Arrow(along: shaft, unit: unit)
    }

    /// Returns the whole number below a value, at most 400.
    static func count(_ value: Double) -> Int { value < 400 ? Int(max(0, value)) : 400 }

    static func head(at tip: TracePoint, _ direction: TracePoint, _ unit: Double) -> [TracePoint] {
        let back = direction * (-0.45 * unit)
        let side = TracePoint(-direction.y, direction.x) * (0.4 * unit)
        return [tip + back + side, tip, tip + back - side]
    }
}

extension TracePath {
    /// A point at which a path turns back over itself.
    fileprivate struct Turn {
        /// The distance from the start of the path.
        let distance: Double
        /// The distance of the turn before, or zero.
        let legStart: Double
        /// The length of the part before the turn that the path draws again.
        let retraced: Double
    }

    /// The turns after which the path goes back over itself for at least a threshold.
    fileprivate func turns(_ unit: Double) -> [Turn] {
        var turns: [Turn] = []
        var distance = 0.0
        for index in points.indices.dropFirst().dropLast() {
            let (before, after) = (points[index] - points[index - 1], points[index + 1] - points[index])
            distance += before.length
            guard before.dot(after) < -0.9 * before.length * after.length else { continue }
            var retraced = 0.0
            while retraced < 200 * unit, retraced + unit / 4 <= min(distance, length - distance),
                let back = point(at: distance - retraced - unit / 4),
                let forth = point(at: distance + retraced + unit / 4), back.distance(to: forth) < unit / 4
            {
                retraced += unit / 4
            }
            guard retraced >= unit else { continue }
            turns.append(Turn(distance: distance, legStart: turns.last?.distance ?? 0, retraced: retraced))
        }
        return turns
    }

    /// Returns the direction at a distance from the start as a unit vector, or zero for a dot.
    fileprivate func heading(at distance: Double, _ unit: Double) -> TracePoint {
        let low = min(max(0, distance - 0.15 * unit), max(0, length - 0.3 * unit))
        let part = part(from: low, to: low + 0.3 * unit)
        guard let first = part.first, let last = part.last, first != last else { return .zero }
        return (last - first) * (1 / first.distance(to: last))
    }
}
