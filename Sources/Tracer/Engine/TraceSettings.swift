/// The settings by which a trace is judged.
public struct TraceSettings: Sendable, Hashable, Codable {
    /// The role of order and direction.
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// Any part of the paths may be drawn at any time in any direction.
        case free
        /// Each path must be drawn from its start to its end, in a permitted order.
        case ordered
    }

    /// The distance up to which a point is on the path, in view units. The guide is twice as wide.
    public var threshold: Double
    /// The role of order and direction.
    public var mode: Mode
    /// The share of every path that must be drawn for the trace to be complete, 0...1.
    public var requiredCoverage: Double
    /// The largest ratio of the length of the line that covers a path to the length of the path, at least 1; `nil` for
    /// no limit.
    ///
    /// With a longer line, such as a zigzag, the path is scribbled over and not complete. A tremor of less than a tenth
    /// of the threshold adds no length.
    public var largestDetour: Double?

    /// Creates settings, which a ``TraceTarget`` validates.
    ///
    /// - Parameters:
    ///   - threshold: The distance up to which a point is on the path, in view units, greater than zero.
    ///   - mode: The role of order and direction.
    ///   - requiredCoverage: The share of every path that must be drawn, 0...1.
    ///   - largestDetour: The largest ratio of line to path, at least 1, or `nil` for no limit.
    public init(
        threshold: Double = 20, mode: Mode = .free, requiredCoverage: Double = 0.97, largestDetour: Double? = 2.5
    ) {
        self.threshold = threshold
        self.mode = mode
        self.requiredCoverage = requiredCoverage
        self.largestDetour = largestDetour
    }

    /// The largest tremor that adds no length to a line.
    var wobble: Double { Self.wobble(threshold) }

    static func wobble(_ threshold: Double) -> Double { threshold / 10 }
}
