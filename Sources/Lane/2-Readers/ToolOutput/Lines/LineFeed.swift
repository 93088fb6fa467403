/// A splitter of output into lines that can remove escape sequences and timestamps.
struct LineFeed: Sendable {
    private var splitter = LineSplitter()
    private var previousWasCut = false
    private let stripsEscapes: Bool
    /// A Boolean value that indicates whether the output contains escapes. Only then are the following lines searched.
    private var hasSeenEscape = false
    private var plain: [UInt8] = []
    /// A Boolean value that indicates whether lines start with a timestamp of a CI service, or `nil` before the first
    /// line.
    private var hasStamps: Bool?
    /// The other prefixes of lines, or `nil` if the input is no log of a CI service.
    private var prefixes: LinePrefixes?

    /// - Parameter stripsStamps: A Boolean value that indicates whether the input may be a log of a CI service.
    init(stripsEscapes: Bool = false, stripsStamps: Bool = false) {
        self.stripsEscapes = stripsEscapes
        hasStamps = stripsStamps ? nil : false
        prefixes = stripsStamps ? LinePrefixes() : nil
    }

    /// Moves the feed out of its owner and returns it. The owner can then pass itself to a closure, and must restore
    /// the feed.
    mutating func lend() -> LineFeed {
        var lent = LineFeed()
        swap(&lent, &self)
        return lent
    }

    @inline(__always)
    mutating func consume(_ bytes: UnsafeRawBufferPointer, _ body: (Line) -> Void) {
        if stripsEscapes, !hasSeenEscape { hasSeenEscape = Bytes(bytes).firstIndex(of: 0x1B) != nil }
        var splitter = LineSplitter()
        swap(&splitter, &self.splitter)
        splitter.consume(bytes) { deliver(Bytes($0), $1, body) }
        swap(&splitter, &self.splitter)
    }

    /// Returns a Boolean value that indicates whether the text after the last line end has this start and end.
    func isPending(from start: StaticString, to end: StaticString) -> Bool { splitter.isPending(from: start, to: end) }

    mutating func finish(_ body: (Line) -> Void) {
        var splitter = self.splitter
        self.splitter = LineSplitter()
        splitter.finish { deliver(Bytes($0), $1, body) }
    }

    /// Returns the text without a timestamp, and without a byte order mark in the first line.
    private mutating func withoutStamp(_ text: Bytes) -> Bytes {
        let line = hasStamps == nil && text.hasPrefix("\u{FEFF}") ? text.from(3) : text
        let end = line.endOfStamp
        if hasStamps == nil { hasStamps = end != nil }
        return end.map(line.from) ?? line
    }

    @inline(__always)
    private mutating func deliver(_ text: Bytes, _ ending: LineEnding, _ body: (Line) -> Void) {
        let continues = previousWasCut
        previousWasCut = ending == .cut
        let text = hasStamps == false || continues ? text : withoutStamp(text)
        guard hasSeenEscape, text.firstIndex(of: 0x1B) != nil else {
            return body(Line(text: withoutPrefix(text, continues), ending: ending, continuesPiece: continues))
        }
        var plain: [UInt8] = []
        swap(&plain, &self.plain)
        plain.removeAll(keepingCapacity: true)
        text.appendWithoutEscapes(to: &plain)
        plain.withUnsafeBufferPointer {
            body(Line(text: withoutPrefix(Bytes($0), continues), ending: ending, continuesPiece: continues))
        }
        swap(&plain, &self.plain)
    }

    @inline(__always)
    private mutating func withoutPrefix(_ text: Bytes, _ continues: Bool) -> Bytes {
        continues ? text : prefixes?.strip(text) ?? text
    }
}

/// Returns output of a program without control sequences.
package func withoutEscapes(_ output: [UInt8]) -> [UInt8] {
    guard output.contains(0x1B) else { return output }
    var plain: [UInt8] = []
    output.withUnsafeBufferPointer { Bytes($0).appendWithoutEscapes(to: &plain) }
    return plain
}

extension Bytes {
    /// The index after a timestamp in the format of GitHub: `2026-11-22T10:00:00.1234567Z `.
    fileprivate var endOfStamp: Int? {
        guard self[4] == UInt8(ascii: "-"), self[10] == UInt8(ascii: "T"), self[13] == UInt8(ascii: ":"),
            let end = firstIndex(of: UInt8(ascii: "Z"), from: 19), end <= 29, number(at: 0)?.end == 4
        else { return nil }
        return self[end + 1] == 0x20 ? end + 2 : end + 1
    }

    /// Appends the text without the control sequences of ECMA-48: CSI (colors, erasing), OSC (links, titles), APC
    /// (Buildkite's timestamps), and two-byte escapes.
    func appendWithoutEscapes(to plain: inout [UInt8]) {
        var index = 0
        while let escape = firstIndex(of: 0x1B, from: index) {
            plain.append(contentsOf: between(index, escape).buffer)
            index = endOfEscape(at: escape)
        }
        plain.append(contentsOf: from(index).buffer)
    }

    private func endOfEscape(at escape: Int) -> Int {
        var index = escape + 2
        switch self[escape + 1] {
        case UInt8(ascii: "["):
            while index < count, !(0x40...0x7E).contains(self[index]) { index += 1 }
            return min(index + 1, count)
        case UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "^"):
            while index < count, self[index] != 0x07, self[index] != 0x1B { index += 1 }
            return min(index + (self[index] == 0x1B ? 2 : 1), count)
        default: return min(index, count)
        }
    }
}
