/// How strictly a trace is judged.
public struct TraceSettings: Sendable, Hashable, Codable {
    /// Whether order and direction matter.
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// Any part of the paths may be drawn at any time in any direction.
        case free
        /// Each path from its start to its end, one after the other.
        case ordered
    }

    /// The distance from the path up to which a place is still on it, in view units. The guide is twice as wide.
    public var threshold: Double
    /// Whether order and direction matter.
    public var mode: Mode
    /// The share of every path that has to be drawn for the trace to be complete, 0...1.
    public var requiredCoverage: Double
    /// How many times as long as a path the line may be by which it is covered, at least 1: with more it was scribbled
    /// over, as with a zigzag, and is not complete. What a hand trembles by, less than a tenth of the threshold, makes no
    /// line longer. Nil for no limit.
    public var largestDetour: Double?

    /// - Parameters:
    ///   - threshold: In view units, above zero.
    ///   - mode: Whether order and direction matter.
    ///   - requiredCoverage: A share, 0...1.
    ///   - largestDetour: A ratio of at least 1, or nil.
    public init(
        threshold: Double = 20, mode: Mode = .free, requiredCoverage: Double = 0.97, largestDetour: Double? = 2.5
    ) {
        self.threshold = threshold
        self.mode = mode
        self.requiredCoverage = requiredCoverage
        self.largestDetour = largestDetour
    }

    /// By how much a hand may tremble without making its line longer.
    var wobble: Double { Self.wobble(threshold) }

    static func wobble(_ threshold: Double) -> Double { threshold / 10 }
}
