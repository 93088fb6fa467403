/// A measurement of a line's length by the divider (compass) method. It takes steps of a fixed span. Each step leads
/// from the end of the last step to the first point of the line at a distance of one span.
///
/// A tremor smaller than the span therefore adds no length. The result does not depend on the number of samples or
/// moves.
struct Dividers: Sendable {
    private let span: Double
    /// The end of the last step.
    private var position: TracePoint
    /// The last step as a vector.
    private var direction = TracePoint.zero

    init(span: Double, at start: TracePoint) {
        self.span = span
        position = start
    }

    /// Returns the distance from the last step to the end of the line.
    func rest(to end: TracePoint) -> Double { position.distance(to: end) }

    /// Returns the steps that end within a move. The move must start at the end of the previous move.
    mutating func walk(along move: Segment) -> Steps {
        let spacing = span / move.length
        guard spacing > 0, spacing.isFinite else { return Steps(span: span) }
        let first = move.part(within: span, of: position)?.high ?? 0
        guard first < 1 else { return Steps(span: span) }
        // After the first step, the steps are evenly spaced along the straight move.
        let last = Steps.floor((1 - first) / spacing)
        let step = move.point(at: first) - position
        let isTurn = step.dot(direction) < -0.5 * span * span
        position = move.point(at: min(1, first + last * spacing))
        direction = last > 0 ? move.direction * spacing : step
        return Steps(span: span, first: first, spacing: spacing, number: last + 1, turn: isTurn ? span : 0)
    }

    /// The ends of the steps within a move, as shares of its length.
    struct Steps: Sendable {
        var span: Double
        var first = 0.0
        var spacing = 1.0
        var number = 0.0
        /// An addition to the length of the first step if it goes back. Such a step cuts off one span on average.
        var turn = 0.0
        /// The part of the move in which the pen rests.
        var rest: Interval?

        /// The end of the last step.
        var last: Double { min(1, first + (number - 1) * spacing) }

        /// The total length of all steps, without the addition for a turn.
        var length: Double { span * number }

        /// Returns the total length of the steps that end within a part of the move. Of a rest, only the way out of its
        /// circle counts.
        func length(within part: Interval) -> Double {
            let length = steps(within: part)
            guard let rest, let resting = rest.intersection(part) else { return length }
            let hasEnded = rest.high < 1 && rest.high <= part.high
            return max(0, length - steps(within: resting)) + (hasEnded ? Rests.reach / TraceTarget.wobble(1) * span : 0)
        }

        private func steps(within part: Interval) -> Double {
            let before = Self.floor((part.high - first) / spacing + 1)
            let after = -Self.floor((first - part.low) / spacing)
            let isTurn = after <= 0 && before > 0
            return span * max(0, min(before, number) - max(after, 0)) + (isTurn ? turn : 0)
        }

        /// Returns the value rounded down and clamped to ±9e15. Does not call the system's math library.
        static func floor(_ value: Double) -> Double {
            guard abs(value) < 9e15 else { return value < 0 ? -9e15 : 9e15 }
            let cut = Double(Int(value))
            return cut > value ? cut - 1 : cut
        }
    }
}
