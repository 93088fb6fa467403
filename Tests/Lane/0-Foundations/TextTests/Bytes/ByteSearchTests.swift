import Testing
import Text

struct ByteSearchTests {
    @Test(arguments: [
        ("", "a", false), ("abc", "", true), ("aab", "ab", true), ("aabaac", "aac", true), ("aabaab", "aac", false),
        ("a\r\nb", "\n", true), ("cafe\u{301}", "cafe", true),
    ])
    func contains(text: String, other: String, isExpected: Bool) {
        #expect(text.contains(other) == isExpected)
        #expect("<\(text)>".dropFirst().dropLast().contains(other) == isExpected)
        #expect((Array(text.utf8).firstOffset(of: other) != nil) == isExpected)
    }

    @Test func ranges() throws {
        let text = "x.é.y"
        let first = try #require(text.range(of: "."))
        let second = try #require(text.range(of: ".", after: first.upperBound))
        #expect(text[first.upperBound..<second.lowerBound] == "é")
        #expect(text.range(of: ".", after: second.upperBound) == nil)
        #expect(text.dropFirst(2).range(of: ".") == second)
        #expect(text.range(of: "") == nil)
    }

    @Test func partsAndReplacements() {
        #expect("a::b::::c".parts(separatedBy: "::") == ["a", "b", "", "c"])
        #expect("a::b::c".parts(separatedBy: "::", maxSplits: 1) == ["a", "b::c"])
        #expect("".parts(separatedBy: "::") == [""])
        #expect("it's 'it'".replacing("'", with: "''") == "it''s ''it''")
        #expect("1.2.3".replacing(".", with: "-", maxReplacements: 1) == "1-2.3")
        #expect("abc".replacing("", with: "-") == "abc")
    }
}
