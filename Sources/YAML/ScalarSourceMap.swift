package import Diagnostics

/// Where the parts of a scalar's text stand in the file.
///
/// Exact for every part that begins and ends with something visible.
package struct ScalarPlaces {
    private let scalar: Span
    private let length: Int
    /// `nil` where the text stands in the file byte for byte.
    private let offsets: [Range<Int>]?

    /// `nil` for a node that is no scalar of a file.
    package init?(_ node: YAMLNode) {
        guard let scalar = node.scalar, let span = node.span else { return nil }
        self.scalar = span
        length = scalar.text.utf8.count
        let isSame = scalar.style == .plain && span.range.count == length
        offsets = isSame ? nil : ScalarOffsets(scalar, at: span).offsets
    }

    /// The place of a part of the text, given in bytes of that text.
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

/// Where each byte of a scalar's text came from: walks through text and file side by side.
///
/// Everything visible stands in the file in the same order as in the text, escapes apart; only white space is folded.
/// So white space in the file is passed over until the next visible byte fits.
struct ScalarOffsets {
    /// For every byte of the text its bytes in the file, an escape as a whole.
    private(set) var offsets: [Range<Int>] = []

    private let bytes: [UInt8]
    private let end: Int
    private var place: Int

    init(_ scalar: YAMLScalar, at span: Span) {
        bytes = span.file.bytes
        end = span.range.upperBound
        place = span.range.lowerBound
        switch scalar.style {
        case .plain: break
        case .singleQuoted, .doubleQuoted: place += 1
        case .literal, .folded:
            // The header `|2-  # comment` has its line for itself.
            while place < end, bytes[place] != UInt8(ascii: "\n") { place += 1 }
        }
        let text = Array(scalar.text.utf8)
        offsets.reserveCapacity(text.count)
        while offsets.count < text.count { step(text, scalar.style) }
    }

    private mutating func step(_ text: [UInt8], _ style: YAMLScalar.Style) {
        let wanted = text[offsets.count]
        if style == .doubleQuoted, passLineContinuation() { return }
        if style == .doubleQuoted, place < end, bytes[place] == UInt8(ascii: "\\") {
            let length = escapeLength()
            let count = min(Self.decodedLength(wanted), text.count - offsets.count)
            offsets += repeatElement(place..<place + length, count: count)
            place += length
        } else if Self.isSpace(wanted) {
            let width = place < end && Self.isSpace(bytes[place]) ? 1 : 0
            offsets.append(place..<place + width)
            place += width
        } else {
            while place < end, Self.isSpace(bytes[place]) { place += 1 }
            if style == .doubleQuoted, place < end, bytes[place] == UInt8(ascii: "\\") { return step(text, style) }
            let width = style == .singleQuoted && wanted == UInt8(ascii: "'") ? 2 : 1
            offsets.append(min(place, end)..<min(place + width, end))
            place += width
        }
    }

    /// A backslash before a line end stands for nothing.
    private mutating func passLineContinuation() -> Bool {
        guard place + 1 < end, bytes[place] == UInt8(ascii: "\\"),
            bytes[place + 1] == UInt8(ascii: "\n") || bytes[place + 1] == UInt8(ascii: "\r")
        else { return false }
        place += 1
        while place < end, Self.isSpace(bytes[place]) { place += 1 }
        return true
    }

    private func escapeLength() -> Int {
        let letter = place + 1 < end ? bytes[place + 1] : 0
        let length =
            switch letter {
            case UInt8(ascii: "x"): 4
            case UInt8(ascii: "u"): 6
            case UInt8(ascii: "U"): 10
            default: 2
            }
        return min(length, end - place)
    }

    /// How many bytes the character that begins with this byte has in UTF-8.
    private static func decodedLength(_ first: UInt8) -> Int {
        first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
