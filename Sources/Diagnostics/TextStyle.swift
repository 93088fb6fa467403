/// Colour, or none: the only way a message gets an escape sequence.
package struct TextStyle: Sendable, Equatable {
    /// Colours and weights by their numbers in escape sequences.
    package enum Attribute: Int, Sendable {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case cyan = 36
        case grey = 90
    }

    /// Whether attributes become escape sequences.
    package let isColored: Bool
    /// Whether symbols outside ASCII may be printed.
    package let isUnicode: Bool

    package init(isColored: Bool, isUnicode: Bool) {
        self.isColored = isColored
        self.isUnicode = isUnicode
    }

    /// No colour, Unicode symbols: what goes into files and tests.
    package static let plain = TextStyle(isColored: false, isUnicode: true)

    /// The text between the attribute and its end; the text itself where there is no colour.
    package func apply(_ attribute: Attribute, _ further: Attribute? = nil, to text: String) -> String {
        guard isColored, !text.isEmpty else { return text }
        let codes = "\(attribute.rawValue)" + (further.map { ";\($0.rawValue)" } ?? "")
        return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }

    /// The Unicode symbol where it can be shown, else its stand-in.
    package func symbol(_ unicode: String, orElse ascii: String) -> String {
        isUnicode ? unicode : ascii
    }
}
