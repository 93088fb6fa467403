/// A glob pattern: `*` matches any sequence of bytes, `?` matches one byte, and `[a-z]` and `[!a-z]` match one byte of
/// a class.
package struct Glob {
    private static let star = UInt8(ascii: "*")

    private let pattern: [UInt8]
    private let hasClasses: Bool

    /// Creates a pattern.
    ///
    /// - Parameter hasClasses: A Boolean value that indicates whether brackets enclose a class. Otherwise, they match
    ///   themselves.
    package init(_ pattern: some Sequence<UInt8>, hasClasses: Bool) {
        self.pattern = Array(pattern)
        self.hasClasses = hasClasses
    }

    /// Returns a Boolean value that indicates whether the pattern matches the whole text. Backtracks only to the last
    /// star, in at most text × pattern steps.
    package func matches(_ text: [UInt8]) -> Bool {
        var (offset, at) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while offset < text.count {
            if at < pattern.count, pattern[at] == Self.star {
                star = (at, offset)
                at += 1
            } else if at < pattern.count, let next = afterMatching(text[offset], at) {
                offset += 1
                at = next
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (at, offset) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == Self.star }
    }

    /// Returns the index after the pattern element at `at` if the element matches the byte.
    private func afterMatching(_ byte: UInt8, _ at: Int) -> Int? {
        switch pattern[at] {
        case UInt8(ascii: "?"): return at + 1
        case UInt8(ascii: "[") where hasClasses:
            guard let end = pattern[(at + 1)...].dropFirst().firstIndex(of: UInt8(ascii: "]")) else {
                return byte == pattern[at] ? at + 1 : nil
            }
            return Self.isListed(byte, pattern[(at + 1)..<end]) ? end + 1 : nil
        default: return byte == pattern[at] ? at + 1 : nil
        }
    }

    private static func isListed(_ byte: UInt8, _ list: ArraySlice<UInt8>) -> Bool {
        let isNegated = list.first == UInt8(ascii: "!") || list.first == UInt8(ascii: "^")
        var rest = isNegated ? list.dropFirst() : list
        var isFound = false
        while let low = rest.popFirst() {
            if rest.count >= 2, rest.first == UInt8(ascii: "-") {
                let high = rest[rest.startIndex + 1]
                isFound = isFound || (low...max(low, high)).contains(byte)
                rest = rest.dropFirst(2)
            } else {
                isFound = isFound || byte == low
            }
        }
        return isFound != isNegated
    }
}
