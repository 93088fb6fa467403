import Text

/// The bytes between the quotes of a JSON string. Escapes are not decoded.
struct JSONText {
    var raw = Bytes(UnsafeRawBufferPointer(start: nil, count: 0))
    var hasEscapes = false

    var string: String {
        guard hasEscapes else { return raw.string }
        var isSimple = true
        let text = String(unsafeUninitializedCapacity: raw.count) { text in
            var (count, start) = (0, 0)
            while let escape = raw.firstIndex(of: UInt8(ascii: "\\"), from: start) {
                count = text[count...].initialize(fromContentsOf: raw.between(start, escape).buffer)
                guard let plain = Self.simpleEscape(raw[escape + 1]) else {
                    isSimple = false
                    return 0
                }
                text.initializeElement(at: count, to: plain)
                (count, start) = (count + 1, escape + 2)
            }
            return text[count...].initialize(fromContentsOf: raw.from(start).buffer)
        }
        return isSimple ? text : parsed
    }

    private static func simpleEscape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        default: nil
        }
    }

    /// The string with all escapes decoded.
    private var parsed: String {
        let quoted = [UInt8(ascii: "\"")] + Array(raw.buffer) + [UInt8(ascii: "\"")]
        return (try? JSONParser.parse(quoted))?.string ?? raw.string
    }
}

/// A JSON reader that does not build a tree, which is fast enough for the many records of a long test run.
struct JSONCursor {
    /// The maximum nesting depth. It prevents a stack overflow.
    private static let deepest = 64

    private let bytes: Bytes
    private var index = 0
    private var depth = 0

    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// Calls `member` for each member, with the cursor before its value. `member` returns `false` to stop.
    mutating func object(_ member: (Bytes, inout JSONCursor) -> Bool) -> Bool {
        guard enter(UInt8(ascii: "{")) else { return false }
        defer { depth -= 1 }
        if take(UInt8(ascii: "}")) { return true }
        while true {
            skipSpace()
            guard let name = text(), take(UInt8(ascii: ":")), member(name.raw, &self) else { return false }
            if take(UInt8(ascii: "}")) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
        }
    }

    mutating func array(_ element: (inout JSONCursor) -> Bool) -> Bool {
        guard enter(UInt8(ascii: "[")) else { return false }
        defer { depth -= 1 }
        if take(UInt8(ascii: "]")) { return true }
        while true {
            guard element(&self) else { return false }
            if take(UInt8(ascii: "]")) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
        }
    }

    mutating func text() -> JSONText? {
        skipSpace()
        guard bytes[index] == UInt8(ascii: "\"") else {
            _ = skipValue()
            return nil
        }
        let start = index + 1
        var hasEscapes = false
        var end = start
        while let quote = bytes.firstIndex(of: UInt8(ascii: "\""), from: end) {
            guard let escape = bytes.upTo(quote).firstIndex(of: UInt8(ascii: "\\"), from: end) else {
                index = quote + 1
                return JSONText(raw: bytes.between(start, quote), hasEscapes: hasEscapes)
            }
            hasEscapes = true
            end = escape + 2
        }
        index = bytes.count
        return nil
    }

    mutating func bool() -> Bool {
        skipSpace()
        let isTrue = bytes.matches("true", at: index)
        _ = skipValue()
        return isTrue
    }

    mutating func number() -> Double? {
        skipSpace()
        let start = index
        guard skipValue() else { return nil }
        let text = bytes.between(start, index)
        if let decimal = Self.decimal(text) { return decimal }
        return Double(text.string).flatMap { $0.magnitude < 1e15 ? $0 : nil }
    }

    /// Returns a number such as `1566.510324833`, or `nil` for other notations. The result is exact for this number of
    /// digits.
    private static func decimal(_ text: Bytes) -> Double? {
        guard text.count <= 16 else { return nil }
        var (digits, divisor, hasPoint) = (0, 1, false)
        for index in 0..<text.count {
            if text[index] == UInt8(ascii: "."), !hasPoint, index > 0 {
                hasPoint = true
            } else {
                guard text[index].isDigit, digits < 100_000_000_000_000 else { return nil }
                digits = digits * 10 + Int(text[index] &- UInt8(ascii: "0"))
                if hasPoint { divisor *= 10 }
            }
        }
        return Double(digits) / Double(divisor)
    }

    mutating func skipValue() -> Bool {
        skipSpace()
        switch bytes[index] {
        case UInt8(ascii: "\""): return text() != nil
        case UInt8(ascii: "{"): return object { _, cursor in cursor.skipValue() }
        case UInt8(ascii: "["): return array { cursor in cursor.skipValue() }
        default: return skipWord()
        }
    }

    /// Skips a number or one of the three literals.
    private mutating func skipWord() -> Bool {
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09: return index > start
            default: index += 1
            }
        }
        return index > start
    }

    @inline(__always)
    private mutating func enter(_ opening: UInt8) -> Bool {
        guard depth < Self.deepest, take(opening) else { return false }
        depth += 1
        return true
    }

    @inline(__always)
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard bytes[index] == byte else { return false }
        index += 1
        return true
    }

    @inline(__always)
    private mutating func skipSpace() {
        while bytes[index].isBlank { index += 1 }
    }
}
