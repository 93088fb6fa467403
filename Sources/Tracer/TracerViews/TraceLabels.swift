public import Tracer

/// The texts that a view gives to assistive technologies. Replace them to translate them.
public struct TraceLabels: Sendable {
    /// A closure that returns the label of a letter.
    public var letter: @Sendable (Glyph) -> String = { "Letter \($0.character)" }
    /// A closure that returns the accessibility value for a completion, 0...1.
    public var completion: @Sendable (Double) -> String = { "\(Int($0 * 100)) percent drawn" }
    /// The announcement when the letter is complete.
    public var complete = "Complete"

    /// Creates the labels in English.
    public init() {}
}
