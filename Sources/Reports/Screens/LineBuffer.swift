/// Puts lines together from chunks of output that are cut anywhere.
struct LineBuffer {
    /// A longer line is passed on in parts.
    static let longestLine = 64 * 1024

    private var pending: [UInt8] = []

    var isEmpty: Bool { pending.isEmpty }

    /// The line that has no end yet.
    var partial: String { String(decoding: pending, as: UTF8.self) }

    /// The lines that are whole now, without their ends.
    mutating func append(_ bytes: [UInt8]) -> [String] {
        pending += bytes
        var lines: [String] = []
        if let end = pending.lastIndex(of: 0x0A) {
            lines = pending[..<end].split(separator: 0x0A, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            pending.removeFirst(end + 1)
        }
        if pending.count > Self.longestLine {
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
