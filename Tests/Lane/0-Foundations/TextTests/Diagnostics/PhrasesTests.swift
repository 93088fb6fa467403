import Testing
import Text

@Suite struct PhrasesTests {
    @Test(arguments: [
        ("comand", "command"), ("tets", "test"), ("Steps", "steps"), ("timout", "timeout"), ("steps", "steps"),
    ])
    func nearestCorrectsATypo(word: String, expected: String) {
        #expect(nearest(to: word, among: ["command", "steps", "test", "timeout", "if", "env"]) == expected)
    }

    @Test(arguments: ["", "x", "is", "elephant", "stop"]) func nearestIgnoresDistantWords(word: String) {
        #expect(nearest(to: word, among: ["command", "steps", "test", "timeout", "if", "env"]) == nil)
    }

    @Test func nearestReturnsTheLeastDistant() {
        #expect(nearest(to: "release", among: ["releases", "release-notes", "rebase"]) == "releases")
        #expect(nearest(to: "bild", among: ["bind", "build"]) == "bind")
    }

    @Test func countsAndLists() {
        #expect(count(1, "test") == "1 test")
        #expect(count(0, "test") == "0 tests")
        #expect(count(2, "entry", "entries") == "2 entries")
        #expect(list([]) == "")
        #expect(list(["a"]) == "a")
        #expect(list(["a", "b"]) == "a or b")
        #expect(list(["a", "b", "c"], joinedBy: "and") == "a, b and c")
        #expect(list(firstOf: ["a"], joinedBy: "or") == "'a'")
        #expect(list(firstOf: ["a", "b", "c"], joinedBy: "or") == "'a', 'b' or 'c'")
        #expect(list(firstOf: ["a", "b", "c", "d"], joinedBy: "or") == "'a', 'b', 'c' or others")
        #expect(list(["a", "b"], most: 2) == "a, b")
        #expect(list(["a", "b", "c", "d"], most: 2) == "a, b and 2 more")
    }

    @Test(arguments: [("", ""), ("a", "a"), ("a\nb\n", "a"), ("a\r\nb\nc", "a"), ("\nb", "")])
    func theFirstLineEndsAtAnyLineBreak(text: String, line: String) {
        #expect(firstLine(of: text) == line)
    }

    @Test func quotesDifferFromThoseInAText() {
        #expect(inQuotes("lane test") == "'lane test'")
        #expect(inQuotes("lane test 'a b'") == "\"lane test 'a b'\"")
    }

    @Test func everyDocumentedStatusIsListedOnce() {
        let numbers = ExitStatus.documented.map(\.status.rawValue)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers == numbers.sorted())
        #expect(ExitStatus.signalled(15).rawValue == 143)
    }

    @Test func styleAddsNothingWhenPlain() {
        #expect(TextStyle.plain.apply(.bold, .red, to: "x") == "x")
        #expect(TextStyle(isColored: true, isUnicode: true).apply(.bold, .red, to: "x") == "\u{1B}[1;31mx\u{1B}[0m")
        #expect(TextStyle(isColored: true, isUnicode: true).apply(.bold, to: "") == "")
        #expect(TextStyle(isColored: false, isUnicode: false).symbol("✔", orElse: "+") == "+")
    }
}
