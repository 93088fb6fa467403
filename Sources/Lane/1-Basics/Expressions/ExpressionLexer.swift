import Text

/// A lexer that splits the text of an expression into tokens.
struct ExpressionLexer {
    enum Token: Equatable {
        case word(String)
        case integer(Int)
        case string(String)
        case symbol(String)
        case end
    }

    struct SyntaxError: Error {
        let message: String
        let range: Range<Int>
        var hint: String?
    }

    private let bytes: [UInt8]
    private let end: Int
    private(set) var index: Int

    /// Creates a lexer for a range. All offsets are relative to `bytes`.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
    }

    mutating func next() throws(SyntaxError) -> (token: Token, range: Range<Int>) {
        while index < end, bytes[index].isSpace { index += 1 }
        guard index < end else { return (.end, end..<end) }
        let start = index
        let byte = bytes[index]
        if byte.isIdentifierStart { return (.word(word()), start..<index) }
        if byte.isDigit || (byte == UInt8(ascii: "-") && index + 1 < end && bytes[index + 1].isDigit) {
            return (.integer(try integer()), start..<index)
        }
        switch byte {
        case UInt8(ascii: "'"): return (.string(try string()), start..<index)
        case UInt8(ascii: "\""):
            throw SyntaxError(
                message: "unexpected '\"'", range: start..<start + 1, hint: "use single quotes for strings")
        default: return (.symbol(try symbol()), start..<index)
        }
    }

    private mutating func word() -> String {
        let start = index
        while index < end,
            bytes[index].isIdentifierContinuation || bytes[index] == UInt8(ascii: "-")
        {
            index += 1
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func integer() throws(SyntaxError) -> Int {
        let start = index
        index += 1
        while index < end, bytes[index].isDigit { index += 1 }
        if index < end, bytes[index] == UInt8(ascii: ".") || bytes[index].isIdentifierStart {
            while index < end, bytes[index].isIdentifierContinuation || bytes[index] == UInt8(ascii: ".") { index += 1 }
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            throw SyntaxError(
                message: "expected a whole number, found '\(text)'", range: start..<index,
                hint: "put a version in single quotes")
        }
        guard let value = Int(String(decoding: bytes[start..<index], as: UTF8.self)) else {
            throw SyntaxError(message: "the number is too large", range: start..<index)
        }
        return value
    }

    /// Reads a string in single quotes. Two consecutive single quotes represent one.
    private mutating func string() throws(SyntaxError) -> String {
        let start = index
        index += 1
        var text: [UInt8] = []
        while index < end {
            if bytes[index] != UInt8(ascii: "'") {
                text.append(bytes[index])
                index += 1
            } else if index + 1 < end, bytes[index + 1] == UInt8(ascii: "'") {
                text.append(bytes[index])
                index += 2
            } else {
                index += 1
                return String(decoding: text, as: UTF8.self)
            }
        }
        throw SyntaxError(message: "unterminated string", range: start..<start + 1)
    }

    private static let straight = "use straight single quotes for strings"

    private mutating func symbol() throws(SyntaxError) -> String {
        let start = index
        if index + 1 < end {
            let two = String(decoding: bytes[index..<index + 2], as: UTF8.self)
            if ["==", "!=", "<=", ">=", "&&", "||"].contains(two) {
                index += 2
                return two
            }
        }
        let one = bytes[index]
        if "()[].,!<>".utf8.contains(one) {
            index += 1
            return String(UnicodeScalar(one))
        }
        // The message contains all bytes of the character.
        index += 1
        while index < end, bytes[index] & 0xC0 == 0x80 { index += 1 }
        let found = String(decoding: bytes[start..<index], as: UTF8.self)
        let hints = [
            "=": "compare with '=='", "&": "write '&&'", "|": "write '||'", "$": "remove the '$'",
            "‘": Self.straight, "’": Self.straight, "“": Self.straight, "”": Self.straight,
        ]
        let isMatch = found == "=" && index < end && bytes[index] == UInt8(ascii: "~")
        throw SyntaxError(
            message: "unexpected '\(found)'", range: start..<index,
            hint: isMatch ? "use 'contains', 'startsWith' or 'endsWith'" : hints[found])
    }
}
