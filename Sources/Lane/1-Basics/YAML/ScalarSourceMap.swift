package import Text

/// A source map from the decoded text of a scalar to its range in the file.
///
/// The range is exact for every part of the text that starts and ends with a character other than white space.
package struct ScalarSourceMap {
    private let scalar: Span
    private let length: Int
    /// The source range of each byte of the text; `nil` if the file contains the text byte for byte.
    private let offsets: [Range<Int>]?

    /// Creates the source map of a scalar; `nil` if the node isn't a scalar or wasn't parsed from a file.
    package init?(_ node: YAMLNode) {
        guard let scalar = node.scalar, let span = node.span else { return nil }
        self.scalar = span
        length = scalar.text.utf8.count
        let isVerbatim = scalar.style == .plain && span.range.count == length
        offsets = isVerbatim ? nil : ScalarOffsets(scalar, at: span).offsets
    }

    /// Returns the source range of a part of the text.
    ///
    /// - Parameter part: The byte range in the UTF-8 of the text, which is clamped to the text.
    package func span(of part: Range<Int>) -> Span {
        let part = part.clamped(to: 0..<length)
        guard let offsets else {
            let start = scalar.range.lowerBound
            return Span(file: scalar.file, range: start + part.lowerBound..<start + part.upperBound)
        }
        guard !part.isEmpty else {
            let start = part.lowerBound < length ? offsets[part.lowerBound].lowerBound : scalar.range.upperBound
            return Span(file: scalar.file, range: start..<start)
        }
        let (first, last) = (offsets[part.lowerBound], offsets[part.upperBound - 1])
        return Span(file: scalar.file, range: first.lowerBound..<max(first.lowerBound, last.upperBound))
    }
}

/// The source range of each byte of a scalar's text, computed by a parallel scan of text and file.
///
/// Apart from escapes, the file contains the characters of the text in the same order, and only white space is folded.
/// The scan skips white space in the file before each character that isn't white space.
struct ScalarOffsets {
    /// The byte range in the file for each byte of the text. All bytes of an escape have the range of the whole escape.
    private(set) var offsets: [Range<Int>] = []

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int

    init(_ scalar: YAMLScalar, at span: Span) {
        bytes = span.file.bytes
        end = span.range.upperBound
        position = span.range.lowerBound
        switch scalar.style {
        case .plain: break
        case .singleQuoted, .doubleQuoted: position += 1
        case .literal, .folded:
            // The text starts after the line of the block header, such as `|2-  # comment`.
            while position < end, bytes[position] != UInt8(ascii: "\n") { position += 1 }
        }
        let text = Array(scalar.text.utf8)
        offsets.reserveCapacity(text.count)
        while offsets.count < text.count { mapNextByte(of: text, scalar.style) }
    }

    private mutating func mapNextByte(of text: [UInt8], _ style: YAMLScalar.Style) {
        let byte = text[offsets.count]
        if style == .doubleQuoted, skipLineContinuation() { return }
        if style == .doubleQuoted, position < end, bytes[position] == UInt8(ascii: "\\") {
            let length = escapeLength()
            let count = min(Self.decodedLength(byte), text.count - offsets.count)
            offsets += repeatElement(position..<position + length, count: count)
            position += length
        } else if Self.isSpace(byte) {
            let width = position < end && Self.isSpace(bytes[position]) ? 1 : 0
            offsets.append(position..<position + width)
            position += width
        } else {
            while position < end, Self.isSpace(bytes[position]) { position += 1 }
            if style == .doubleQuoted, position < end, bytes[position] == UInt8(ascii: "\\") {
                return mapNextByte(of: text, style)
            }
            let width = style == .singleQuoted && byte == UInt8(ascii: "'") ? 2 : 1
            offsets.append(min(position, end)..<min(position + width, end))
            position += width
        }
    }

    /// Skips an escaped line break, which is not part of the text, and the white space after it. Returns `false` if
    /// there is none.
    private mutating func skipLineContinuation() -> Bool {
        guard position + 1 < end, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "\n") || bytes[position + 1] == UInt8(ascii: "\r")
        else { return false }
        position += 1
        while position < end, Self.isSpace(bytes[position]) { position += 1 }
        return true
    }

    private func escapeLength() -> Int {
        let letter = position + 1 < end ? bytes[position + 1] : 0
        let length =
            switch letter {
            case UInt8(ascii: "x"): 4
            case UInt8(ascii: "u"): 6
            case UInt8(ascii: "U"): 10
            default: 2
            }
        return min(length, end - position)
    }

    /// Returns the length in bytes of the UTF-8 sequence that starts with `first`.
    private static func decodedLength(_ first: UInt8) -> Int {
        first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
