/// Measures a way as a pair of dividers does on a chart: by steps of one span, each from where the last one ended to where
/// the way is a span off for the first time.
///
/// A hand that trembles by less makes its way no longer, however slow it is and however many samples tell of it, and how
/// the way is split into moves changes nothing.
struct Dividers: Sendable {
    private let span: Double
    /// Where the last step ended.
    private var place: Point

    init(span: Double, at start: Point) {
        self.span = span
        place = start
    }

    /// The length of what is left since the last step when the way ends at a point.
    func rest(to end: Point) -> Double { place.distance(to: end) }

    /// The steps that end within a move; it starts where the one before has ended.
    mutating func walk(along move: Segment) -> Steps {
        let spacing = span / move.length
        guard spacing > 0, spacing.isFinite else { return Steps(span: span) }
        let first = move.part(within: span, of: place)?.high ?? 0
        guard first < 1 else { return Steps(span: span) }
        // After the first one they follow each other along the straight move.
        let last = Steps.whole((1 - first) / spacing)
        place = move.point(at: min(1, first + last * spacing))
        return Steps(span: span, first: first, spacing: spacing, number: last + 1)
    }

    /// Where steps end within a move, in shares of the way along it.
    struct Steps: Sendable {
        var span: Double
        var first = 0.0
        var spacing = 1.0
        var number = 0.0

        /// The length of all steps.
        var length: Double { span * number }

        /// The length of the steps that end within a part of the move.
        func length(within part: Interval) -> Double {
            let before = Self.whole((part.high - first) / spacing + 1)
            let after = -Self.whole((first - part.low) / spacing)
            return span * max(0, min(before, number) - max(after, 0))
        }

        /// The largest whole number that is not above the value, without the call into the system's mathematics; far
        /// beyond all that can be counted it does not matter which.
        static func whole(_ value: Double) -> Double {
            guard abs(value) < 9e15 else { return value < 0 ? -9e15 : 9e15 }
            let cut = Double(Int(value))
            return cut > value ? cut - 1 : cut
        }
    }
}
