/// Feeds a grammar line by line, with the colours of a terminal taken off where that is asked for.
struct LineFeed: Sendable {
    private var splitter = LineSplitter()
    private var previousWasCut = false
    private let stripsEscapes: Bool
    /// An escape has come, so every line is searched from now on.
    private var hasSeenEscape = false
    private var plain: [UInt8] = []

    init(stripsEscapes: Bool = false) {
        self.stripsEscapes = stripsEscapes
    }

    /// Takes the feed out of its owner, who passes himself to the lines' receiver, and puts it back after.
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

    mutating func finish(_ body: (Line) -> Void) {
        var splitter = self.splitter
        self.splitter = LineSplitter()
        splitter.finish { deliver(Bytes($0), $1, body) }
    }

    @inline(__always)
    private mutating func deliver(_ text: Bytes, _ ending: LineEnding, _ body: (Line) -> Void) {
        let continues = previousWasCut
        previousWasCut = ending == .cut
        guard hasSeenEscape, text.firstIndex(of: 0x1B) != nil else {
            return body(Line(text: text, ending: ending, continuesPiece: continues))
        }
        plain.removeAll(keepingCapacity: true)
        text.appendWithoutEscapes(to: &plain)
        plain.withUnsafeBufferPointer { body(Line(text: Bytes($0), ending: ending, continuesPiece: continues)) }
    }
}

extension Bytes {
    /// Leaves out the control sequences of ECMA-48: CSI (colours, wiping), OSC (links, titles), and two-byte escapes.
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
        case UInt8(ascii: "]"):
            while index < count, self[index] != 0x07, self[index] != 0x1B { index += 1 }
            return min(index + (self[index] == 0x1B ? 2 : 1), count)
        default: return min(index, count)
        }
    }
}
