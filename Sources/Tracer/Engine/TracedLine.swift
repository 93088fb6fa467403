/// One straight move of a pen, and what became of it.
public struct TracedLine: Sendable, Hashable {
    /// What is to be said of a move, decided when it is drawn.
    public enum Verdict: String, Sendable, Hashable, Codable {
        /// Every point of the move is within the threshold of the paths.
        case onPath
        /// Some of it is not.
        case offPath
        /// On the paths, but not where ordered mode expects the pen.
        case outOfOrder
    }

    /// A tap is a line without length.
    public let segment: Segment
    /// Which stroke of the user it belongs to, counted from zero.
    public let stroke: Int
    /// Decided when it was drawn, and kept.
    public let verdict: Verdict
    /// The share of the move that stayed within the threshold, 0...1.
    public let insideShare: Double
}

/// What a line is shown in.
public enum LineColor: String, Sendable, Hashable, Codable, CaseIterable {
    /// On the path.
    case black
    /// Off the path; stays so when the trace is complete.
    case red
    /// On the path, of a trace that is complete.
    case green
    /// On the path, out of order.
    case amber
}

/// What one touch changed.
public struct TraceUpdate: Sendable, Hashable {
    /// The line it added; nil when the touch was not understood (unusable coordinates, a move without a beginning).
    public var line: TracedLine?
    /// Paths that became complete with it, by position.
    public var completedPaths: [Int] = []
    /// Paths that became covered with it, but by so much line that they are not complete, by position. Only undoing what
    /// was drawn there helps.
    public var scribbledPaths: [Int] = []
    /// Whether the whole trace became complete with it.
    public var completesTrace = false
}
