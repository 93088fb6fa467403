/// A glob pattern: `*` matches any sequence of characters, `?` matches one character, and `[a-z]` and `[!a-z]` match one
/// character of a class. A character is a Unicode scalar in UTF-8, or a byte that is not UTF-8.
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
            } else if at < pattern.count, let next = afterMatching(text, offset, at) {
                (offset, at) = next
            } else if let last = star {
                offset = Self.character(in: text, at: last.text).end
                at = last.pattern + 1
                star = (last.pattern, offset)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == Self.star }
    }

    /// Returns the offset in the text and the index in the pattern after the pattern element at `at`, if it matches.
    private func afterMatching(_ text: [UInt8], _ offset: Int, _ at: Int) -> (Int, Int)? {
        switch pattern[at] {
        case UInt8(ascii: "?"): return (Self.character(in: text, at: offset).end, at + 1)
        case UInt8(ascii: "[") where hasClasses:
            guard let end = pattern[(at + 1)...].dropFirst().firstIndex(of: UInt8(ascii: "]")) else { break }
            let (character, next) = Self.character(in: text, at: offset)
            return isListed(character, (at + 1)..<end) ? (next, end + 1) : nil
        default: break
        }
        return text[offset] == pattern[at] ? (offset + 1, at + 1) : nil
    }

    /// Returns a Boolean value that indicates whether the class in a range of the pattern contains a character.
    private func isListed(_ character: UInt32, _ list: Range<Int>) -> Bool {
        let isNegated = list.count > 0 && "!^".utf8.contains(pattern[list.lowerBound])
        var index = list.lowerBound + (isNegated ? 1 : 0)
        var isFound = false
        while index < list.upperBound {
            let (low, next) = Self.character(in: pattern, at: index)
            index = next
            if index + 1 < list.upperBound, pattern[index] == UInt8(ascii: "-") {
                let (high, end) = Self.character(in: pattern, at: index + 1)
                isFound = isFound || (low...max(low, high)).contains(character)
                index = end
            } else {
                isFound = isFound || character == low
            }
        }
        return isFound != isNegated
    }

    /// Returns the character at an index and the index after it. A byte that is not UTF-8 has a number of its own, which
    /// is no Unicode scalar.
    private static func character(in bytes: [UInt8], at index: Int) -> (number: UInt32, end: Int) {
        let first = bytes[index]
        guard first >= 0x80 else { return (UInt32(first), index + 1) }
        let byte = (number: 0x11_0000 + UInt32(first), end: index + 1)
        let count = (~first).leadingZeroBitCount
        guard (2...4).contains(count), index + count <= bytes.count else { return byte }
        var number = UInt32(first & (0x7F >> count))
        for next in bytes[(index + 1)..<(index + count)] {
            guard next & 0xC0 == 0x80 else { return byte }
            number = number << 6 | UInt32(next & 0x3F)
        }
        return (number, index + count)
    }
}
