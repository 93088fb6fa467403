import Events

/// The unterminated line that a child process has printed on a terminal.
struct OpenLine {
    private(set) var isOpen = false
    /// The stream of the line, or `nil` if the child overwrites it.
    private var stream: OutputChunk.Stream?
    /// A Boolean value that indicates whether the child's color may still be active.
    private var mayBeColored = false

    /// Returns the child's output, with line breaks between output of the two streams. Does not terminate a line that
    /// the child overwrites.
    mutating func pass(_ chunk: OutputChunk) -> [UInt8] {
        guard let last = chunk.bytes.last else { return [] }
        let isDrawn = chunk.bytes.contains { $0 == 0x1B || $0 == 0x0D }
        let parts = isOpen && !isDrawn && stream.map { $0 != chunk.stream } ?? false
        let wasDrawn = isOpen && stream == nil
        isOpen = last != 0x0A
        stream = isDrawn || (wasDrawn && !chunk.bytes.contains(0x0A)) ? nil : chunk.stream
        mayBeColored = mayBeColored || chunk.bytes.contains(0x1B)
        return (parts ? [0x0A] : []) + chunk.bytes
    }

    /// Returns text that follows the open line. Resets the child's color.
    mutating func follow(with text: String) -> [UInt8] {
        guard !text.isEmpty else { return [] }
        let color = mayBeColored ? "\u{1B}[0m" : ""
        mayBeColored = false
        return Array(color.utf8) + end() + Array(text.utf8)
    }

    /// Returns the bytes that terminate the line.
    mutating func end() -> [UInt8] {
        defer { isOpen = false }
        return isOpen ? [0x0A] : []
    }
}
