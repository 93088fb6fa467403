import Text

/// A part of a line that is parsed from left to right.
struct LineText {
    let bytes: [UInt8]
    private(set) var index: Int
    let end: Int

    init(_ range: Range<Int>, of bytes: [UInt8]) {
        (self.bytes, index, end) = (bytes, range.lowerBound, range.upperBound)
    }

    /// Creates a line without a comment, which starts at a marker outside quotes.
    init(_ range: Range<Int>, of bytes: [UInt8], comment: String) {
        var quote: UInt8?
        var end = range.lowerBound
        while end < range.upperBound {
            let byte = bytes[end]
            if quote == nil, bytes[end..<range.upperBound].starts(with: comment.utf8) { break }
            if byte == quote { quote = nil } else if quote == nil, isQuote(byte) { quote = byte }
            end += 1
        }
        self.init(range.lowerBound..<end, of: bytes)
    }

    var isAtEnd: Bool { index >= end }
    var range: Range<Int> { index..<max(index, end) }

    mutating func skipBlanks() { skip(while: \.isBlank) }

    mutating func skip(while fits: (UInt8) -> Bool) {
        while index < end, fits(bytes[index]) { index += 1 }
    }

    mutating func take(_ text: String) -> Bool {
        guard bytes[index..<max(index, end)].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    /// Parses one of several texts. Returns `nil` if there is none.
    mutating func take(any texts: [String]) -> String? {
        for text in texts where take(text) { return text }
        return nil
    }

    /// Returns the range of bytes that satisfy a condition.
    mutating func run(while fits: (UInt8) -> Bool) -> Range<Int> {
        let start = index
        skip(while: fits)
        return start..<index
    }

    /// Parses a quoted string. Returns the range between the quotes.
    mutating func quoted() -> Range<Int>? {
        guard index < end, isQuote(bytes[index]) else { return nil }
        let quote = bytes[index]
        guard let close = bytes[(index + 1)..<end].firstIndex(of: quote) else { return nil }
        defer { index = close + 1 }
        return (index + 1)..<close
    }

    /// Parses a quoted or unquoted value.
    mutating func value() -> Range<Int> { quoted() ?? run { isVersionByte($0) } }

    /// Returns the positions after a word that is not part of a longer one.
    func positions(after word: String) -> [LineText] {
        let text = Array(word.utf8)
        guard let first = text.first, end - index >= text.count else { return [] }
        return (index...(end - text.count)).compactMap { start in
            guard bytes[start] == first, bytes[start...].starts(with: text) else { return nil }
            let after = start + text.count
            let isWhole =
                (start == 0 || !first.isIdentifierContinuation || !bytes[start - 1].isIdentifierContinuation)
                && (after == end || !text[text.count - 1].isIdentifierContinuation
                    || !bytes[after].isIdentifierContinuation)
            return isWhole ? LineText(after..<end, of: bytes) : nil
        }
    }

    /// Returns the values after a word and one of several signs.
    func values(of word: String, _ signs: [String]) -> [Range<Int>] {
        positions(after: word).compactMap { text in
            var text = text
            text.skipBlanks()
            guard text.take(any: signs) != nil else { return nil }
            text.skipBlanks()
            return text.value()
        }
    }
}

/// Returns a Boolean value that indicates whether a byte can be part of a version.
func isVersionByte(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "-.+".utf8.contains(byte) }

private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

extension VersionSource {
    /// Returns the version at the end of a tag.
    func tagOccurrence(_ range: Range<Int>) -> VersionOccurrence? {
        ReleaseTag(text(range)).flatMap {
            occurrence((range.lowerBound + $0.prefix.utf8.count)..<range.upperBound, .possible)
        }
    }
}
