/// A straight move of a pen, with its verdict.
public struct TracedLine: Sendable, Hashable {
    /// The verdict on a move, which is final when the move is drawn.
    public enum Verdict: String, Sendable, Hashable, Codable {
        /// Every point of the move is within the threshold of the paths.
        case onPath
        /// At least one point of the move is not within the threshold of the paths.
        case offPath
        /// The move is on the paths, but not on the part that ordered mode expects.
        case outOfOrder
    }

    /// The start of the move, in view units.
    public var start: TracePoint { segment.start }
    /// The end of the move, in view units. It is the start for a tap.
    public var end: TracePoint { segment.end }
    package let segment: Segment
    /// The index of the stroke.
    public let stroke: Int
    /// The verdict, which never changes.
    public let verdict: Verdict
    /// The share of the move within the threshold, 0...1.
    public let insideShare: Double

    /// The color of a line.
    public enum Color: String, Sendable, Hashable, Codable, CaseIterable {
        /// A line on the path.
        case black
        /// A line off the path, even after the trace is complete.
        case red
        /// A line on the path of a complete trace.
        case green
        /// A line on the path, but out of order.
        case amber
    }
}

/// The changes that a touch caused.
public struct TraceUpdate: Sendable, Hashable {
    /// The line that was added, or `nil` for an ignored touch (unusable coordinates, a move without a beginning).
    public internal(set) var line: TracedLine?
    /// The indices of the paths that the touch completed.
    public internal(set) var completedPaths: [Int] = []
    /// The indices of the paths that the touch covered with too long a line. They can be completed only after strokes
    /// are undone.
    public internal(set) var scribbledPaths: [Int] = []
    /// A Boolean value that indicates whether the touch completed the trace.
    public internal(set) var completesTrace = false
}
