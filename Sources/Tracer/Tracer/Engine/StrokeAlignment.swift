/// A comparison of a stroke with a path from start to end, without tremor and rests.
///
/// `StrokeGrade.direction` is one number for an entire stroke. The alignment also finds a part that is drawn the other
/// way round, such as the bowl of a d, and a part that is drawn twice.
struct StrokeAlignment {
    private let path: TracePath
    private let threshold: Double
    private let drawn: TracePath

    init(_ stroke: [TracePoint], along path: TracePath, within threshold: Double) {
        self.path = path
        self.threshold = threshold
        drawn = TracePath(points: stroke).withoutTremor(span: TraceTarget.wobble(threshold))
    }

    /// Returns the share of the path that a pen covers which moves along the stroke and never goes back on the path, 0...1.
    /// A path without length is covered in both directions.
    func coverage(isReversed: Bool) -> Double {
        let length = max(path.length, drawn.length)
        guard path.length > threshold, drawn.length > 0 else { return 1 }
        let spacing = max(threshold / 4, length / 2000)
        let (expected, places) = (path.places(spacing: spacing), drawn.places(spacing: spacing))
        return Self.coverage(of: isReversed ? expected.reversed() : expected, by: places, within: 1.25 * threshold)
    }

    /// The length of the stroke along the path. Movement across the path does not count.
    var lengthAlong: Double { Self.length(of: drawn, along: path, within: threshold) }

    /// Returns the largest share of the expected points that are near the drawn points in the same order.
    private static func coverage(of expected: [TracePoint], by drawn: [TracePoint], within radius: Double) -> Double {
        guard !expected.isEmpty else { return 1 }
        // The number of points that are covered by the drawn points up to each one.
        var counts = [Int](repeating: 0, count: drawn.count)
        for point in expected {
            var best = 0
            for (index, place) in drawn.enumerated() {
                let isNear = (place - point).squaredLength <= radius * radius
                best = max(best, counts[index] + (isNear ? 1 : 0))
                counts[index] = best
            }
        }
        return Double(counts.last ?? 0) / Double(expected.count)
    }

    private static func length(of stroke: TracePath, along path: TracePath, within threshold: Double) -> Double {
        let pieces = path.segments.filter { $0.length > 0 }
        return stroke.segments.reduce(0) { sum, step in
            let middle = step.point(at: 0.5)
            var (nearest, least) = (Segment?.none, threshold)
            for piece in pieces {
                let distance = piece.distance(to: middle)
                if distance < least { (nearest, least) = (piece, distance) }
            }
            guard let nearest else { return sum }
            return sum + abs(step.direction.dot(nearest.direction)) / nearest.length
        }
    }
}

extension TracePath {
    /// Returns a path through points of this path at a distance of one span, found as `Dividers` does.
    func withoutTremor(span: Double) -> TracePath {
        guard var last = points.first, span > 0 else { return self }
        var kept = [last]
        for segment in segments {
            while segment.end.distance(to: last) > span, kept.count < 100_000 {
                // The end of the part is where the line leaves the circle. A rounding error may miss the circle.
                let part = segment.part(within: span, of: last)
                let next = segment.point(at: part?.high ?? 0)
                guard next != last else { break }
                last = next
                kept.append(last)
            }
        }
        if let end = points.last, end != last { kept.append(end) }
        return TracePath(points: kept)
    }

    /// Returns points along the path at even distances, including both ends.
    fileprivate func places(spacing: Double) -> [TracePoint] {
        guard points.count > 1, spacing > 0 else { return points }
        var places = [points[0]]
        var next = spacing
        for segment in segments {
            let length = segment.length
            while next <= length, length > 0 {
                places.append(segment.point(at: next / length))
                next += spacing
            }
            next -= length
        }
        return places + [points[points.count - 1]]
    }
}
