import Text

/// A scalar of a YAML file, with its style.
package struct YAMLScalar: Sendable, Equatable {
    /// The style in which a scalar is written.
    package enum Style: Sendable {
        case plain, singleQuoted, doubleQuoted
        /// A block scalar with `|`.
        case literal
        /// A block scalar with `>`.
        case folded
    }

    /// The type and value of a scalar in the core schema of YAML 1.2. Separate cases represent values that YAML 1.1
    /// reads differently.
    package enum Meaning: Sendable, Equatable {
        case string
        case null
        case bool(Bool)
        case integer(Int)
        /// A number that has a fraction or an exponent, or that doesn't fit in 64 bits.
        case number
        /// `yes`, `no`, `on` or `off`: a string in YAML 1.2, a Boolean in YAML 1.1.
        case legacyBool(Bool)
        /// A number with a leading zero, such as `010`: decimal in YAML 1.2, octal in YAML 1.1.
        case legacyOctal
    }

    /// The text without quotes, with escapes decoded and lines folded.
    package let text: String
    /// The style. A quoted scalar is always a string.
    package let style: Style

    package init(_ text: String, style: Style = .plain) {
        self.text = text
        self.style = style
    }

    /// The type and value of the scalar; `.string` unless its style is plain.
    package var meaning: Meaning { style == .plain ? Self.meaning(of: text) : .string }

    var kind: String {
        switch meaning {
        case .null: "nothing"
        case .bool, .legacyBool: "the boolean \(text)"
        case .integer, .number, .legacyOctal: "the number \(text)"
        case .string: "the string '\(shortened)'"
        }
    }

    private var shortened: String {
        let line = text.prefix { !$0.isNewline }
        return line.count > 40 ? line.prefix(37) + "..." : line.count < text.count ? line + "..." : text
    }

    /// Returns the type and value of a plain scalar.
    static func meaning(of text: String) -> Meaning {
        guard let first = text.utf8.first else { return .null }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            return number(text) ?? .string
        // Most strings are not looked up: no keyword is longer than five bytes or starts with another letter.
        default: return text.utf8.count <= 5 && startsKeyword(first) ? keywords[text] ?? .string : .string
        }
    }

    private static func startsKeyword(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "y"), UInt8(ascii: "o"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static let keywords: [String: Meaning] = {
        var keywords: [String: Meaning] = ["~": .null]
        func add(_ word: String, _ meaning: Meaning) {
            for form in [word, word.uppercased(), word.prefix(1).uppercased() + word.dropFirst()] {
                keywords[form] = meaning
            }
        }
        add("null", .null)
        add("true", .bool(true))
        add("false", .bool(false))
        for word in ["yes", "on"] { add(word, .legacyBool(true)) }
        for word in ["no", "off"] { add(word, .legacyBool(false)) }
        return keywords
    }()

    private static func number(_ text: String) -> Meaning? {
        if text.hasPrefix("0x") { return radix(text, 16) }
        if text.hasPrefix("0o") { return radix(text, 8) }
        let isSigned = text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+")
        let digits = text.utf8.dropFirst(isSigned ? 1 : 0)
        if digits.isEmpty { return nil }
        if digits.allSatisfy({ $0.isDigit }) {
            if digits.count > 1, digits.first == UInt8(ascii: "0") { return .legacyOctal }
            return Int(text).map { .integer($0) } ?? .number
        }
        let unsigned = String(Substring(digits))
        if [".inf", ".Inf", ".INF"].contains(unsigned) || [".nan", ".NaN", ".NAN"].contains(text) { return .number }
        return isDecimal(digits) ? .number : nil
    }

    private static func radix(_ text: String, _ radix: Int) -> Meaning? {
        let digits = text.dropFirst(2)
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else { return nil }
        return Int(digits, radix: radix).map { .integer($0) }
    }

    /// Returns a Boolean value that indicates whether the text is a decimal number such as `1.`, `.5`, `1.5e-3` or
    /// `1e3`.
    private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
        var rest = text
        func digits() -> Int {
            let count = rest.prefix { $0.isDigit }.count
            rest = rest.dropFirst(count)
            return count
        }
        var found = digits()
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            found += digits()
        }
        guard found > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
