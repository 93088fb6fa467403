/// A line of a log, or a part of a very long line.
struct Line {
    let text: Bytes
    let ending: LineEnding
    /// A Boolean value that indicates whether the text continues the previous part.
    let continuesPiece: Bool
}

/// A buffer for lines of output, which become one event.
struct GatheredOutput: Sendable {
    /// The maximum size of an event in bytes.
    private static let enough = 1 << 16

    private var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }
    var isFull: Bool { bytes.count >= Self.enough }

    mutating func append(_ text: Bytes, _ ending: LineEnding) {
        bytes.append(contentsOf: text.buffer)
        let terminator = ending.bytes
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: terminator.utf8Start, count: terminator.utf8CodeUnitCount))
    }

    mutating func append(_ lines: ArraySlice<UInt8>) { bytes += lines }

    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

/// A buffer for a message that may have further lines.
struct GatheredText: Sendable {
    private(set) var bytes: [UInt8]

    init(_ text: Bytes) {
        bytes = Array(text.buffer)
    }

    mutating func append(_ text: Bytes, onNewLine: Bool) {
        if onNewLine { bytes.append(0x0A) }
        bytes.append(contentsOf: text.buffer)
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }
    var stringIfAny: String? { bytes.isEmpty ? nil : string }
}
