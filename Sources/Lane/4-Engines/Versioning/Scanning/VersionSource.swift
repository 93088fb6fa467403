import Text

/// A file to search for versions.
struct VersionSource {
    /// The path relative to the package.
    let path: String
    let bytes: [UInt8]
    let names: PackageNames

    /// The index of the first byte after a byte order mark.
    var start: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// The last path component.
    var name: Substring { path.split(separator: "/").last ?? "" }

    /// The range of each line without its line break.
    var lines: [Range<Int>] {
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        return zip([start] + ends.map { $0 + 1 }, ends + [bytes.count]).map { $0..<$1 }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the version of an app. One with two numbers is possibly that of another app.
    func appOccurrence(_ range: Range<Int>, _ certainty: VersionOccurrence.Certainty = .certain) -> VersionOccurrence? {
        let hasTwoNumbers = bytes[range].count { $0 == UInt8(ascii: ".") } == 1
        return occurrence(range, hasTwoNumbers ? .possible : certainty, .numbers)
    }

    /// Returns the occurrence of a version, or `nil` if the text is not a version in the given form.
    func occurrence(
        _ range: Range<Int>, _ certainty: VersionOccurrence.Certainty, _ form: VersionOccurrence.Form = .plain
    ) -> VersionOccurrence? {
        let text = text(range)
        // The `v` before a version is kept.
        let start = text.utf8.first == UInt8(ascii: "v") ? range.lowerBound + 1 : range.lowerBound
        let plain = start == range.lowerBound ? text : String(text.dropFirst())
        guard let version = form.version(in: plain) else { return nil }
        return VersionOccurrence(
            file: path, line: lineNumber(of: start, in: bytes), range: start..<range.upperBound, text: plain,
            version: version, certainty: certainty, form: form)
    }
}

/// Returns the number of the line that contains an index, starting at 1.
func lineNumber(of index: Int, in bytes: [UInt8]) -> Int { bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1 }

/// A scanner for one line of text.
struct LineText {
    let bytes: [UInt8]
    private(set) var index: Int
    let end: Int

    init(_ range: Range<Int>, of bytes: [UInt8]) {
        (self.bytes, index, end) = (bytes, range.lowerBound, range.upperBound)
    }

    /// Creates a scanner for a line without its comment. A comment starts at `comment` outside quotes.
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

    /// Scans one of several texts and returns it, or `nil` if none of them follows.
    mutating func take(any texts: [String]) -> String? {
        for text in texts where take(text) { return text }
        return nil
    }

    /// Scans bytes while they satisfy a condition, and returns their range.
    mutating func run(while fits: (UInt8) -> Bool) -> Range<Int> {
        let start = index
        skip(while: fits)
        return start..<index
    }

    /// Scans a quoted string. Returns the range between the quotes.
    mutating func quoted() -> Range<Int>? {
        guard index < end, isQuote(bytes[index]) else { return nil }
        let quote = bytes[index]
        guard let close = bytes[(index + 1)..<end].firstIndex(of: quote) else { return nil }
        defer { index = close + 1 }
        return (index + 1)..<close
    }

    /// Scans a quoted or unquoted value, and returns its range.
    mutating func value() -> Range<Int> { quoted() ?? run { isVersionByte($0) } }

    /// Returns the range of the name or version that ends at an index.
    func word(before end: Int) -> Range<Int> {
        let start = bytes[index..<end].lastIndex { !isVersionByte($0) && !$0.isIdentifierContinuation }
        return (start.map { $0 + 1 } ?? index)..<end
    }

    /// Returns scanners that start after each occurrence of a whole word.
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

    /// Returns the values that follow a whole word and one of several signs.
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
    func tagOccurrence(
        _ range: Range<Int>, _ certainty: VersionOccurrence.Certainty = .possible
    ) -> VersionOccurrence? {
        ReleaseTag(text(range)).flatMap {
            occurrence((range.lowerBound + $0.prefix.utf8.count)..<range.upperBound, certainty)
        }
    }
}
