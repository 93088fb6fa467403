/// The style of terminal output: color or none, Unicode symbols or ASCII. No other type adds escape sequences to
/// messages.
package struct TextStyle: Sendable, Equatable {
    /// Colors and weights with their SGR parameters.
    package enum Attribute: Int, Sendable {
        case bold = 1
        case faint = 2
        case inverse = 7
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case cyan = 36
        case gray = 90
    }

    /// A Boolean value that indicates whether attributes become escape sequences.
    package let isColored: Bool
    /// A Boolean value that indicates whether symbols outside ASCII may be printed.
    package let isUnicode: Bool

    package init(isColored: Bool, isUnicode: Bool) {
        self.isColored = isColored
        self.isUnicode = isUnicode
    }

    /// The style without color and with Unicode symbols, for files and tests.
    package static let plain = TextStyle(isColored: false, isUnicode: true)

    /// Returns the text with up to two attributes, or unchanged if the style has no color.
    package func apply(_ attribute: Attribute, _ further: Attribute? = nil, to text: String) -> String {
        guard isColored, !text.isEmpty else { return text }
        let codes = "\(attribute.rawValue)" + (further.map { ";\($0.rawValue)" } ?? "")
        return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }

    /// Returns `unicode` if the style allows Unicode symbols; otherwise, `ascii`.
    package func symbol(_ unicode: String, orElse ascii: String) -> String {
        isUnicode ? unicode : ascii
    }
}

/// The size of a terminal in character cells.
package struct TerminalSize: Sendable, Equatable {
    /// The number of columns, at least 1.
    package let columns: Int
    /// The number of rows, at least 1; `Int.max` if unknown.
    package let rows: Int

    package init(columns: Int, rows: Int = .max) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}
