import LaneEvents

/// The line of a terminal that a child with the screen to itself has left without an end, if it has.
struct OpenLine {
    private(set) var isOpen = false
    /// Where it came from; `nil` for one that the child draws over.
    private var stream: OutputChunk.Stream?
    /// The child may have left its colour on.
    private var mayBeColoured = false

    /// The child's output just as it is, but that what is told of errors begins a line of its own, and so does what
    /// follows it. A line that a child draws over is left to it.
    mutating func pass(_ chunk: OutputChunk) -> [UInt8] {
        guard let last = chunk.bytes.last else { return [] }
        let isDrawn = chunk.bytes.contains { $0 == 0x1B || $0 == 0x0D }
        let parts = isOpen && !isDrawn && stream.map { $0 != chunk.stream } ?? false
        let wasDrawn = isOpen && stream == nil
        isOpen = last != 0x0A
        stream = isDrawn || (wasDrawn && !chunk.bytes.contains(0x0A)) ? nil : chunk.stream
        mayBeColoured = mayBeColoured || chunk.bytes.contains(0x1B)
        return (parts ? [0x0A] : []) + chunk.bytes
    }

    /// Whole lines that begin behind it, in the terminal's own colour.
    mutating func follow(with text: String) -> [UInt8] {
        guard !text.isEmpty else { return [] }
        let colour = mayBeColoured ? "\u{1B}[0m" : ""
        mayBeColoured = false
        return Array(colour.utf8) + end() + Array(text.utf8)
    }

    /// What ends it.
    mutating func end() -> [UInt8] {
        defer { isOpen = false }
        return isOpen ? [0x0A] : []
    }
}
