/// A buffer that splits chunks of output into lines.
struct LineBuffer {
    /// The maximum length of a line. Longer lines are passed in parts.
    static let maximumLineLength = 64 * 1024

    private var pending: [UInt8] = []

    var isEmpty: Bool { pending.isEmpty }

    /// The unterminated last line.
    var partial: String { String(decoding: pending, as: UTF8.self) }

    /// Adds bytes. Returns the completed lines without their line breaks.
    mutating func append(_ bytes: [UInt8]) -> [String] {
        pending += bytes
        var lines: [String] = []
        if let end = pending.lastIndex(of: 0x0A) {
            lines = pending[..<end].split(separator: 0x0A, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            pending.removeFirst(end + 1)
        }
        if pending.count > Self.maximumLineLength {
            lines.append(partial)
            pending.removeAll()
        }
        return lines
    }

    mutating func flush() -> [String] {
        defer { pending.removeAll() }
        return pending.isEmpty ? [] : [partial]
    }
}
