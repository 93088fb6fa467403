/// The start and the end of output of any length.
package struct CappedOutput: Sendable, Equatable {
    private let headLimit: Int
    private let tailLimit: Int
    private var head: [UInt8] = []
    /// The last bytes. It grows to twice its limit before it is cut, which makes appending cheap.
    private var tail: [UInt8] = []
    /// The number of all appended bytes.
    package private(set) var total = 0

    /// Creates an output that keeps `head` bytes of the start and `tail` bytes of the end.
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

    /// The number of bytes between the start and the end that were not kept.
    package var dropped: Int { total - head.count - min(tail.count, tailLimit) }

    /// Appends bytes. The cost depends only on their number.
    package mutating func append(_ bytes: [UInt8]) {
        total += bytes.count
        // Slices by index, as the methods of sequences copy byte by byte.
        let room = min(headLimit - head.count, bytes.count)
        if room > 0 { head += bytes[..<room] }
        guard bytes.count > room else { return }
        tail += bytes[max(room, bytes.count - tailLimit)...]
        if tail.count > 2 * tailLimit { tail.removeFirst(tail.count - tailLimit) }
    }

    /// The kept output, repaired where it is not UTF-8, with a line in place of the omitted bytes.
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

    /// The bytes after the cut, from the start of a line if possible.
    private var end: ArraySlice<UInt8> {
        let kept = tail.suffix(tailLimit)
        guard let lineEnd = kept.firstIndex(of: UInt8(ascii: "\n")), lineEnd < kept.endIndex - 1 else { return kept }
        return kept[(lineEnd + 1)...]
    }
}
