/// The beginning and the end of some output, however much there is of it.
package struct CappedOutput: Sendable, Equatable {
    private let headLimit: Int
    private let tailLimit: Int
    private var head: [UInt8] = []
    /// Grows to twice its limit before it is cut, so that appending stays cheap.
    private var tail: [UInt8] = []
    /// Bytes that came in all.
    package private(set) var total = 0

    /// Keeps that many bytes of the beginning and of the end.
    package init(head: Int = 16 * 1024, tail: Int = 48 * 1024) {
        headLimit = head
        tailLimit = tail
    }

    /// Whether nothing came.
    package var isEmpty: Bool { total == 0 }

    /// Whether there is nothing to see in it.
    package var isBlank: Bool {
        dropped == 0 && [head, tail].allSatisfy { $0.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
    }

    /// Bytes between the beginning and the end that were not kept.
    package var dropped: Int { total - head.count - min(tail.count, tailLimit) }

    /// Takes further bytes, cut anywhere; costs no more than their number.
    package mutating func append(_ bytes: [UInt8]) {
        total += bytes.count
        // Slices by index: the methods of sequences would go byte by byte.
        let room = min(headLimit - head.count, bytes.count)
        if room > 0 { head += bytes[..<room] }
        guard bytes.count > room else { return }
        tail += bytes[max(room, bytes.count - tailLimit)...]
        if tail.count > 2 * tailLimit { tail.removeFirst(tail.count - tailLimit) }
    }

    /// What was kept, repaired where it is not UTF-8, with a line in place of what was not.
    package var text: String {
        guard dropped > 0 else { return String(decoding: head + tail, as: UTF8.self) }
        let beginning = String(decoding: head, as: UTF8.self)
        let separator = beginning.isEmpty || beginning.hasSuffix("\n") ? "" : "\n"
        return beginning + separator + "[… \(dropped) bytes left out …]\n" + String(decoding: end, as: UTF8.self)
    }

    /// The last lines, at most `count`, without their line ends and without empty ones after them.
    package func lastLines(_ count: Int) -> [String] {
        let kept = String(decoding: dropped > 0 ? Array(end) : head + tail, as: UTF8.self)
        var lines = kept.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.suffix(count).map { String($0) }
    }

    /// What follows the cut, from the next line on unless it is all one line.
    private var end: ArraySlice<UInt8> {
        let kept = tail.suffix(tailLimit)
        guard let lineEnd = kept.firstIndex(of: UInt8(ascii: "\n")), lineEnd < kept.endIndex - 1 else { return kept }
        return kept[(lineEnd + 1)...]
    }
}
