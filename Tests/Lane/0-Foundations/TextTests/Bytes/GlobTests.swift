import Testing
import Text

/// Compares matches with a slow recursive implementation. The tests of file patterns cover classes.
@Suite struct GlobTests {
    @Test func matchesAgreeWithARecursiveImplementation() {
        func slow(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            if first == "*" {
                return slow(pattern.dropFirst(), text) || (!text.isEmpty && slow(pattern, text.dropFirst()))
            }
            guard let next = text.first, first == "?" || first == next else { return false }
            return slow(pattern.dropFirst(), text.dropFirst())
        }
        for letters in ["ab*?", "aé*?", "é日*?"].map({ Array($0.unicodeScalars) }) {
            for number in 0..<4096 {
                let pattern = (0..<6).map { letters[number >> (2 * $0) & 3] }
                let glob = Glob(utf8(pattern), hasClasses: false)
                let wrong = ["", "0", "01", "0101", "110010", "00110011"].filter { word in
                    let text = word.utf8.map { letters[Int($0) & 1] }
                    return glob.matches(utf8(text)) != slow(pattern[...], text[...])
                }
                #expect(wrong.isEmpty, "\(pattern)")
            }
        }
    }

    private func utf8(_ scalars: [Unicode.Scalar]) -> [UInt8] { scalars.flatMap { Array(String($0).utf8) } }

    @Test(arguments: [
        ("caf?.txt", "café.txt", true), ("?", "😀", true), ("??", "é", false), ("*??", "日", false),
        ("[ö]", "ö", true), ("[ö]", "ä", false), ("[!ö]", "ä", true), ("[!ö]", "ö", false), ("[^a]x", "日x", true),
        ("[а-я]*", "да", true), ("[а-я]", "Д", false), ("[a-zé-]", "-", true), ("[a-zé-]", "é", true),
        ("[é", "[é", true), ("[é", "é", false),
    ]) func wildcardsAndClassesMatchCharacters(pattern: String, text: String, matches: Bool) {
        #expect(Glob(pattern.utf8, hasClasses: true).matches(Array(text.utf8)) == matches)
    }

    /// A part of `é`, `é` in Latin-1, and bytes that UTF-8 never has.
    @Test(arguments: [[0xC3], [0xA9], [0xE9], [0xFF], [0xC0], [0xF8]] as [[UInt8]])
    func bytesThatAreNotUTF8AreCharacters(bytes: [UInt8]) {
        #expect(Glob("?".utf8, hasClasses: true).matches(bytes))
        #expect(Glob("a?b".utf8, hasClasses: true).matches(Array("a".utf8) + bytes + Array("b".utf8)))
        #expect(Glob("[!a]".utf8, hasClasses: true).matches(bytes))
        #expect(!Glob("[à-ÿ]".utf8, hasClasses: true).matches(bytes))
        #expect(!Glob("??".utf8, hasClasses: true).matches(bytes))
    }
}
