/// A strict parser of JSON (RFC 8259) that reads the text in one pass and limits the depth of nesting.
///
/// The parser replaces unpaired surrogates and invalid UTF-8 in strings with U+FFFD and reports no error for them.
package struct JSONParser {
    /// The maximum depth of nesting, which prevents a stack overflow.
    static let maximumDepth = 512

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses a text that consists of one value and optional white space around it.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONNode {
        var parser = JSONParser(bytes)
        parser.skipSpace()
        let node = try parser.value()
        parser.skipSpace()
        guard parser.index == bytes.count else { throw parser.error("expected the end of the text after the value") }
        return node
    }

    /// Parses a text that consists of one value; ranges are offsets in the UTF-8 of `text`.
    package static func parse(_ text: String) throws(JSONError) -> JSONNode {
        try parse(Array(text.utf8))
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ message: String) -> JSONError { JSONError(message, at: index) }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func value() throws(JSONError) -> JSONNode {
        let start = index
        let content: JSONNode.Content
        switch current {
        case UInt8(ascii: "{"): content = .object(try members())
        case UInt8(ascii: "["): content = .array(try elements())
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "t"): content = try keyword("true", .bool(true))
        case UInt8(ascii: "f"): content = try keyword("false", .bool(false))
        case UInt8(ascii: "n"): content = try keyword("null", .null)
        case UInt8(ascii: "-"): content = try number()
        case let byte? where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"): content = try number()
        case nil: throw error("expected a value, found the end of the text")
        default: throw error("expected a value")
        }
        return JSONNode(content, range: start..<index)
    }

    private mutating func keyword(
        _ word: StaticString, _ content: JSONNode.Content
    ) throws(JSONError) -> JSONNode.Content {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[index..<end].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { throw error("expected a value") }
        index = end
        return content
    }

    private mutating func enter() throws(JSONError) {
        index += 1
        depth += 1
        if depth > Self.maximumDepth { throw error("nested more than \(Self.maximumDepth) levels deep") }
        skipSpace()
    }

    private mutating func members() throws(JSONError) -> [JSONMember] {
        try enter()
        defer { depth -= 1 }
        var members: [JSONMember] = []
        var names: Set<String> = []
        if accept(UInt8(ascii: "}")) { return members }
        while true {
            let start = index
            guard current == UInt8(ascii: "\"") else { throw error("expected a name in double quotes") }
            let name = try string()
            let nameRange = start..<index
            guard names.insert(name).inserted else { throw JSONError("duplicate name '\(name)'", at: start) }
            skipSpace()
            guard accept(UInt8(ascii: ":")) else { throw error("expected ':' after the name '\(name)'") }
            skipSpace()
            members.append(JSONMember(name: name, nameRange: nameRange, value: try value()))
            skipSpace()
            if accept(UInt8(ascii: "}")) { return members }
            guard accept(UInt8(ascii: ",")) else { throw error("expected ',' or '}'") }
            skipSpace()
        }
    }

    private mutating func elements() throws(JSONError) -> [JSONNode] {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONNode] = []
        if accept(UInt8(ascii: "]")) { return elements }
        elements.reserveCapacity(4)
        while true {
            elements.append(try value())
            skipSpace()
            if accept(UInt8(ascii: "]")) { return elements }
            guard accept(UInt8(ascii: ",")) else { throw error("expected ',' or ']'") }
            skipSpace()
        }
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func number() throws(JSONError) -> JSONNode.Content {
        let start = index
        _ = accept(UInt8(ascii: "-"))
        if !accept(UInt8(ascii: "0")) { try digits() }
        var isInteger = true
        if accept(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if accept(UInt8(ascii: "e")) || accept(UInt8(ascii: "E")) {
            isInteger = false
            if !accept(UInt8(ascii: "+")) { _ = accept(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw JSONError("the number is too large", at: start) }
        return .number(value)
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
        if index == start { throw error("expected a digit") }
    }
}

extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        let opening = index
        index += 1
        var start = index
        var decoded: [UInt8] = []
        while true {
            guard let byte = current else { throw JSONError("the string has no closing quote", at: opening) }
            switch byte {
            case UInt8(ascii: "\""):
                defer { index += 1 }
                guard decoded.isEmpty else {
                    decoded += bytes[start..<index]
                    return String(decoding: decoded, as: UTF8.self)
                }
                return String(decoding: bytes[start..<index], as: UTF8.self)
            case UInt8(ascii: "\\"):
                decoded += bytes[start..<index]
                decoded += try escape()
                start = index
            case 0..<0x20:
                throw error("a control character in a string must be escaped")
            default:
                index += 1
            }
        }
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        index += 1
        guard let byte = current else { throw error("expected an escape, found the end of the text") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try unicodeEscape())).utf8)
        default:
            index -= 1
            throw error("unknown escape")
        }
    }

    /// Reads the digits of `\uXXXX`, and a second escape if the first is a high surrogate; returns U+FFFD for an
    /// unpaired surrogate.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let high = try hexadecimal()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard high < 0xDC00, bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            return "\u{FFFD}"
        }
        let afterHigh = index
        index += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else {
            // The second escape is not a low surrogate and is parsed again as a separate character.
            index = afterHigh
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        guard index + 4 <= bytes.count,
            let value = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
            bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: "-")
        else { throw error("expected four hexadecimal digits") }
        index += 4
        return value
    }
}
