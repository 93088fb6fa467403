/// The rests of a pen: parts of a line that stay within three quarters of a threshold of a point of the line, and are
/// longer than four thresholds.
///
/// A finger that rests on a screen trembles, and each sample adds length. A scribble leaves the circle around a point
/// long before, so a rest has no effect on the verdict and a scribble remains one. As with `Dividers`, the result does
/// not depend on the number of samples.
struct Rests {
    /// The radius of the circle, in thresholds.
    static let reach = 0.75

    /// The least length of the line in a circle.
    private let least: Double
    private var circles: Dividers
    /// The length of the line in the current circle.
    private var length = 0.0
    /// The number of circles that the line has left.
    private var circle = 0

    init(threshold: Double, at start: TracePoint) {
        least = 4 * threshold
        circles = Dividers(span: Self.reach * threshold, at: start)
    }

    /// Returns the part of a move in which the pen rests. The move must start at the end of the previous move.
    mutating func part(of move: Segment) -> Interval? {
        let total = move.length
        guard total > 0 else { return nil }
        let steps = circles.walk(along: move)
        let hasLeft = steps.number > 0
        let start = max(0, (least - length) / total)
        let end = hasLeft ? steps.first : 1
        if hasLeft { circle += 1 }
        length = hasLeft ? (1 - steps.last) * total : length + total
        return start < end ? Interval(low: start, high: end) : nil
    }

    /// Returns a Boolean value for each point of a stroke that indicates whether it belongs to a rest. The first and the
    /// last point never do, and neither does the point with which the pen enters the circle.
    static func isResting(_ stroke: [TracePoint], threshold: Double) -> [Bool] {
        var isResting = [Bool](repeating: false, count: stroke.count)
        guard var last = stroke.first else { return isResting }
        var rests = Rests(threshold: threshold, at: last)
        var (circle, first) = (0, 1)
        for (index, point) in stroke.enumerated().dropFirst() {
            let rest = rests.part(of: Segment(last, point))
            last = point
            if rests.circle > circle {
                (circle, first) = (rests.circle, index + 1)
            } else if rest != nil, index < stroke.count - 1 {
                while first <= index {
                    isResting[first] = true
                    first += 1
                }
            }
        }
        return isResting
    }
}
