#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes JSON straight into bytes, without a tree in between; the order of calls is the order of the text.
package struct JSONWriter: ~Copyable {
    /// How lines are broken.
    package enum Layout: Sendable {
        /// One line, as JSON lines need it.
        case compact
        /// Two spaces a level, for people.
        case indented
    }

    /// What was written so far, without a line feed at the end.
    package private(set) var bytes: [UInt8] = []
    private let layout: Layout
    private var depth = 0
    private var needsComma = false

    package init(_ layout: Layout = .compact) {
        self.layout = layout
        // A line of the usual length grows no further.
        bytes.reserveCapacity(128)
    }

    /// The same as a text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets what was written and keeps the memory, for the next line.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// An object as a value; `body` writes its members.
    package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try nested(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// An array as a value; `body` writes its elements.
    package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try nested(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// An object as a member.
    package mutating func object(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.name(name)
        try object(body)
    }

    /// An array as a member.
    package mutating func array(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.name(name)
        try array(body)
    }

    /// A text as a member.
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        self.value(value)
    }

    /// A whole number as a member.
    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        self.value(value)
    }

    /// A number as a member; infinities become null.
    package mutating func member(_ name: String, _ value: Double) {
        self.name(name)
        self.value(value)
    }

    /// A boolean as a member.
    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        self.value(value)
    }

    /// An array of texts as a member.
    package mutating func member(_ name: String, _ values: [String]) {
        array(name) { writer in
            for value in values { writer.value(value) }
        }
    }

    /// A null as a member.
    package mutating func null(_ name: String) {
        self.name(name)
        raw("null")
    }

    /// A text as an element, or behind `name`.
    package mutating func value(_ value: String) {
        separate()
        quoted(value)
    }

    /// A whole number as an element, or behind `name`.
    package mutating func value(_ value: Int) { raw(String(value)) }

    /// A boolean as an element, or behind `name`.
    package mutating func value(_ value: Bool) { raw(value ? "true" : "false") }

    /// The shortest text that reads back as the same number; JSON has no infinities, so those become null.
    package mutating func value(_ value: Double) {
        guard value.isFinite else { return raw("null") }
        if abs(value) < 1e15, let whole = Int(exactly: value) { raw(String(whole)) } else { raw("\(value)") }
    }

    /// A null as an element, or behind `name`.
    package mutating func null() { raw("null") }

    /// The name of a member whose value is written next.
    package mutating func name(_ name: String) {
        separate()
        quoted(name)
        bytes.append(UInt8(ascii: ":"))
        if layout == .indented { bytes.append(UInt8(ascii: " ")) }
        needsComma = false
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes += text.utf8
    }

    private mutating func nested(
        _ opening: UInt8, _ closing: UInt8, _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        separate()
        bytes.append(opening)
        depth += 1
        needsComma = false
        try body(&self)
        depth -= 1
        if needsComma { breakLine() }
        bytes.append(closing)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if layout == .indented, depth > 0, let last = bytes.last,
            last == UInt8(ascii: ",") || last == UInt8(ascii: "{") || last == UInt8(ascii: "[")
        {
            breakLine()
        }
        needsComma = true
    }

    private mutating func breakLine() {
        guard layout == .indented else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        if appendPlain(text) { return }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20, 0x7F: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
    }

    /// Takes a text that can stand as it is, as nearly all do; false for another.
    private mutating func appendPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            let isPlain = text.allSatisfy {
                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7F
            }
            if isPlain { bytes.append(contentsOf: text) }
            return isPlain
        }
    }
}
