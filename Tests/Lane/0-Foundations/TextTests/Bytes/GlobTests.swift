import Testing
import Text

/// Compares matches with a slow recursive implementation. The tests of file patterns cover classes.
@Suite struct GlobTests {
    @Test func matchesAgreeWithARecursiveImplementation() {
        func slow(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            if first == UInt8(ascii: "*") {
                return slow(pattern.dropFirst(), text) || (!text.isEmpty && slow(pattern, text.dropFirst()))
            }
            guard let next = text.first, first == UInt8(ascii: "?") || first == next else { return false }
            return slow(pattern.dropFirst(), text.dropFirst())
        }
        let letters = Array("ab*?".utf8)
        for number in 0..<4096 {
            let pattern = (0..<6).map { letters[number >> (2 * $0) & 3] }
            for text in ["", "a", "ab", "abab", "bbaaba", "aabbaabb"].map({ Array($0.utf8) }) {
                #expect(Glob(pattern, hasClasses: false).matches(text) == slow(pattern[...], text[...]))
            }
        }
    }
}
