/// An escape of CI service commands in the output of child processes. It adds a backslash.
///
/// GitHub's runner interprets `::word::` at the start of a line (after whitespace; a carriage return also starts a
/// line) and `##[word]` anywhere, Azure `##vso[` and `##[`. The backslash is before `::`, and within `##`, because what
/// precedes these does not matter. The runner ignores invisible characters in comparisons.
/// The escape is therefore a visible character, and comparisons here also skip bytes outside printable ASCII.
struct CommandGuard {
    /// The maximum length of a line. Longer lines are passed in parts.
    static let maximumLineLength = 64 * 1024
    private static let overlap = 16

    private var pending: [UInt8] = []
    private var isAtLineStart = true

    /// A Boolean value that indicates whether an unterminated line is buffered.
    var isHoldingBack: Bool { !pending.isEmpty }

    /// Adds bytes, and returns the completed lines.
    mutating func append(_ bytes: [UInt8]) -> [UInt8] {
        pending += bytes
        if let end = pending.lastIndex(of: 0x0A) {
            return pass(pending.index(after: end))
        }
        return pending.count > Self.maximumLineLength ? pass(pending.count - Self.overlap, isPartial: true) : []
    }

    /// Returns the buffered rest without a line break.
    mutating func flush() -> [UInt8] { pass(pending.count) }

    static func guarded(_ text: [UInt8]) -> [UInt8] {
        var commandGuard = CommandGuard()
        return commandGuard.append(text) + commandGuard.flush()
    }

    /// - Parameter isPartial: A Boolean value that indicates whether the line continues behind the buffered bytes.
    private mutating func pass(_ end: Int, isPartial: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(end + 16)
        for index in 0..<end {
            let byte = pending[index]
            if startsCommand(at: index, byte, isPartial) {
                output += byte == UInt8(ascii: "#") ? Array("#\\".utf8) : Array("\\:".utf8)
            } else {
                output.append(byte)
            }
            if byte == 0x0A || byte == 0x0D {
                isAtLineStart = true
            } else if !Self.isSkipped(byte) {
                isAtLineStart = false
            }
        }
        pending.removeFirst(end)
        return output
    }

    /// Returns a Boolean value that indicates whether a command may start at a byte. If only skipped bytes follow and
    /// the line continues, the rest is unknown.
    private func startsCommand(at index: Int, _ byte: UInt8, _ isPartial: Bool) -> Bool {
        if byte == UInt8(ascii: ":") {
            return isAtLineStart && next(after: index).map { $0.byte == UInt8(ascii: ":") } ?? isPartial
        }
        guard byte == UInt8(ascii: "#") else { return false }
        guard let second = next(after: index) else { return isPartial }
        guard second.byte == UInt8(ascii: "#") else { return false }
        guard let third = next(after: second.index)?.byte else { return isPartial }
        return third == UInt8(ascii: "[") || third | 0x20 == UInt8(ascii: "v")
    }

    /// Returns the next byte that is not skipped.
    private func next(after index: Int) -> (index: Int, byte: UInt8)? {
        var index = index + 1
        while index < pending.count, pending[index] != 0x0A {
            if !Self.isSkipped(pending[index]) { return (index, pending[index]) }
            index += 1
        }
        return nil
    }

    private static func isSkipped(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x7F }
}
