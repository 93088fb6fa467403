/// The start and the end of an output, in memory of limited size.
package struct CappedOutput: Sendable, Equatable {
    private let headLimit: Int
    private let tailLimit: Int
    private var head: [UInt8] = []
    /// The last bytes. The array is truncated when it reaches twice its limit, so most appends copy only the new bytes.
    private var tail: [UInt8] = []
    /// The number of all appended bytes.
    package private(set) var total = 0

    /// Creates an empty output that keeps the first `head` bytes and the last `tail` bytes.
    package init(head: Int = 16 * 1024, tail: Int = 48 * 1024) {
        headLimit = head
        tailLimit = tail
    }

    /// A Boolean value that indicates whether no bytes were appended.
    package var isEmpty: Bool { total == 0 }

    /// A Boolean value that indicates whether the output contains only whitespace.
    package var isBlank: Bool {
        dropped == 0 && [head, tail].allSatisfy { $0.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
    }

    /// The number of discarded bytes between the start and the end.
    package var dropped: Int { total - head.count - min(tail.count, tailLimit) }

    /// Appends bytes, in amortized time proportional to their number.
    package mutating func append(_ bytes: [UInt8]) {
        total += bytes.count
        // Slices by index are faster than the methods of `Sequence`, which copy byte by byte.
        let room = min(headLimit - head.count, bytes.count)
        if room > 0 { head += bytes[..<room] }
        guard bytes.count > room else { return }
        tail += bytes[max(room, bytes.count - tailLimit)...]
        if tail.count > 2 * tailLimit { tail.removeFirst(tail.count - tailLimit) }
    }

    /// The output with a line in place of the discarded bytes, and with U+FFFD in place of invalid UTF-8.
    package var text: String {
        guard dropped > 0 else { return String(decoding: head + tail, as: UTF8.self) }
        let beginning = String(decoding: head, as: UTF8.self)
        let separator = beginning.isEmpty || beginning.hasSuffix("\n") ? "" : "\n"
        return beginning + separator + "[… \(dropped) bytes omitted …]\n" + String(decoding: end, as: UTF8.self)
    }

    /// Returns the last lines, at most `count`, without empty lines at the end.
    package func lastLines(_ count: Int) -> [String] {
        let kept = String(decoding: dropped > 0 ? Array(end) : head + tail, as: UTF8.self)
        var lines = kept.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.suffix(count).map { String($0) }
    }

    /// The bytes after the discarded bytes, from the start of a line if possible.
    private var end: ArraySlice<UInt8> {
        let kept = tail.suffix(tailLimit)
        guard let lineEnd = kept.firstIndex(of: UInt8(ascii: "\n")), lineEnd < kept.endIndex - 1 else { return kept }
        return kept[(lineEnd + 1)...]
    }
}
