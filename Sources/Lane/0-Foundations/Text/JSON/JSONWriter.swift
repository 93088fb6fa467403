/// A writer that appends JSON to a byte buffer, in the order of the calls.
package struct JSONWriter: ~Copyable {
    /// The layout of the output.
    package enum Layout: Sendable {
        /// One line without spaces, as for JSON Lines.
        case compact
        /// One element a line, indented by two spaces a level.
        case indented
    }

    /// The output so far, without a trailing line feed.
    package private(set) var bytes: [UInt8] = []
    private let layout: Layout
    private var depth = 0
    private var needsComma = false

    package init(_ layout: Layout = .compact) {
        self.layout = layout
        // Most events fit without a reallocation.
        bytes.reserveCapacity(128)
    }

    /// Returns an indented object with a line feed at its end; `body` writes its members.
    package static func document(_ body: (inout JSONWriter) -> Void) -> String {
        String(decoding: documentBytes(body), as: UTF8.self)
    }

    /// Returns the bytes of an indented object with a line feed at its end; `body` writes its members.
    package static func documentBytes(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(.indented)
        writer.object(body)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// The output so far, as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Removes the output and keeps the capacity for the next line.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Writes an object as a value; `body` writes its members.
    package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try nested(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array as a value; `body` writes its elements.
    package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try nested(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// Writes an object as a member; `body` writes its members.
    package mutating func object(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.name(name)
        try object(body)
    }

    /// Writes an array as a member; `body` writes its elements.
    package mutating func array(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.name(name)
        try array(body)
    }

    /// Writes a string as a member.
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        self.value(value)
    }

    /// Writes an integer as a member.
    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        self.value(value)
    }

    /// Writes a number as a member. Writes `null` for infinities and NaN.
    package mutating func member(_ name: String, _ value: Double) {
        self.name(name)
        self.value(value)
    }

    /// Writes a Boolean as a member.
    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        self.value(value)
    }

    /// Writes an array of strings as a member.
    package mutating func member(_ name: String, _ values: [String]) {
        array(name) { writer in
            for value in values { writer.value(value) }
        }
    }

    /// Writes a string as an element, or as the value after `name(_:)`.
    package mutating func value(_ value: String) {
        writeSeparator()
        quoted(value)
    }

    /// Writes an integer as an element, or as the value after `name(_:)`.
    package mutating func value(_ value: Int) { raw(String(value)) }

    /// Writes a Boolean as an element, or as the value after `name(_:)`.
    package mutating func value(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes a number as an element, or as the value after `name(_:)`, with the fewest digits that parse to the same
    /// number. Writes `null` for infinities and NaN.
    package mutating func value(_ value: Double) {
        guard value.isFinite else { return raw("null") }
        if abs(value) < 1e15, let whole = Int(exactly: value) { raw(String(whole)) } else { raw("\(value)") }
    }

    /// Writes `null` as an element, or as the value after `name(_:)`.
    package mutating func null() { raw("null") }

    /// Writes the name of a member; the next call writes its value.
    package mutating func name(_ name: String) {
        writeSeparator()
        quoted(name)
        bytes.append(UInt8(ascii: ":"))
        if layout == .indented { bytes.append(UInt8(ascii: " ")) }
        needsComma = false
    }

    private mutating func raw(_ text: String) {
        writeSeparator()
        bytes += text.utf8
    }

    private mutating func nested(
        _ opening: UInt8, _ closing: UInt8, _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        writeSeparator()
        bytes.append(opening)
        depth += 1
        needsComma = false
        try body(&self)
        depth -= 1
        if needsComma { breakLine() }
        bytes.append(closing)
        needsComma = true
    }

    private mutating func writeSeparator() {
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
        if appendUnescaped(text) { return }
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

    /// Appends the text if it contains no character to escape, which is the common case. Otherwise returns `false`.
    private mutating func appendUnescaped(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            let needsNoEscape = text.allSatisfy {
                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7F
            }
            if needsNoEscape { bytes.append(contentsOf: text) }
            return needsNoEscape
        }
    }
}
