/// The lines of a sentence of Swift Testing whose name, argument or reason contains line breaks.
struct BrokenSentence: Sendable {
    private static let maximumLines = 20
    private static let maximumBytes = 1 << 16

    /// The lines with their terminators, which are output if they are no sentence.
    private(set) var lines: [UInt8]
    /// The lines in one line. Names with line breaks are shown with spaces.
    private(set) var joined: [UInt8]
    private var count = 1

    init(_ text: Bytes, _ ending: LineEnding) {
        joined = Array(text.buffer)
        lines = joined
        end(ending)
    }

    /// Adds a line. Returns `false` if there are too many.
    mutating func append(_ text: Bytes, _ ending: LineEnding) -> Bool {
        guard count < Self.maximumLines, lines.count + text.count < Self.maximumBytes else { return false }
        count += 1
        joined.append(0x20)
        joined.append(contentsOf: text.buffer)
        lines.append(contentsOf: text.buffer)
        end(ending)
        return true
    }

    private mutating func end(_ ending: LineEnding) {
        let end = ending.bytes
        lines.append(contentsOf: UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount))
    }
}
