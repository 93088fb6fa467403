/// The length of a stroke without rests, and its parts off the paths.
struct DrawnLength {
    private(set) var total = 0.0
    private(set) var offPath = 0.0
    private(set) var outOfOrder = 0.0
    /// The extent of the longest part that is off the paths in one go: its length, or its reach if it trembles.
    private(set) var longestExcursion = 0.0
    /// The part that is off the paths up to the last line: its start, length and reach.
    private var excursion: (start: TracePoint, length: Double, reach: Double)?

    /// Adds a line after the others of its stroke. A line without length counts a little, so that a tap has a verdict.
    mutating func add(_ line: TracedLine, on target: TraceTarget) {
        let length = max(line.segment.length, target.threshold * 1e-6)
        let outside = (1 - line.insideShare) * length
        total += length
        offPath += outside
        if line.verdict == .outOfOrder { outOfOrder += length }
        guard line.verdict == .offPath else {
            excursion = nil
            return
        }
        var current = excursion ?? (line.start, 0, 0)
        current.length += outside
        current.reach = max(current.reach, line.end.distance(to: current.start))
        longestExcursion = max(longestExcursion, min(current.length, current.reach))
        excursion = target.index.contains(line.end) ? nil : current
    }
}
