/// One line of a log, or a piece of an overlong one, as the line grammars see it.
struct Line {
    let text: Bytes
    let ending: LineEnding
    /// It goes on where the previous piece was cut.
    let continuesPiece: Bool
}

/// Printed lines, gathered so that a run of them becomes one event.
struct GatheredOutput: Sendable {
    /// Enough for one event; a longer run becomes several.
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

/// A message that may go on over further lines.
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
