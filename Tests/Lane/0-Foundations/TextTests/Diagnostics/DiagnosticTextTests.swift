import Testing
import Text

@Suite struct DiagnosticTextTests {
    private func span(_ file: SourceFile, _ text: String) throws -> Span {
        let needle = Array(text.utf8)
        let start = try #require(
            file.bytes.indices.first { file.bytes[$0...].starts(with: needle) }, "no '\(text)' in the source")
        return Span(file: file, range: start..<start + needle.count)
    }

    @Test func locationMessageLineCaretNoteAndHint() throws {
        let file = SourceFile(path: "Lanes/test.yml", text: "steps:\n  - comand: ls\n  - comand: ls\n")
        let first = try span(file, "comand")
        let second = Span(file: file, range: 26..<32)
        let diagnostic = Diagnostic(
            .error, "unknown key 'comand'", at: second, hint: "did you mean 'command'?",
            note: .init("first used here", at: first))
        #expect(
            DiagnosticText().text(for: diagnostic) == """
                Lanes/test.yml:3:5: error: unknown key 'comand'
                      - comand: ls
                        ^~~~~~
                Lanes/test.yml:2:5: note: first used here
                      - comand: ls
                        ^~~~~~
                hint: did you mean 'command'?

                """)
    }

    @Test func aDiagnosticWithoutALocationIsOneLine() {
        #expect(DiagnosticText().text(for: Diagnostic(.warning, "the cache is old")) == "warning: the cache is old\n")
    }

    @Test func diagnosticsAreSortedByLocation() {
        let one = SourceFile(path: "a.yml", text: "x: 1\ny: 2\n")
        let two = SourceFile(path: "b.yml", text: "z\n")
        var all = Diagnostics()
        all.error("fourth", at: Span(file: two, range: 0..<1))
        all.error("third", at: Span(file: one, range: 5..<6))
        all.add(Diagnostic(.warning, "second", at: Span(file: one, range: 0..<1)))
        all.error("second too", at: Span(file: one, range: 0..<1))
        all.error("first")
        let heads = DiagnosticText().text(for: all).split(separator: "\n").filter {
            $0.contains("error:") || $0.contains("warning:")
        }
        #expect(
            heads == [
                "error: first", "a.yml:1:1: warning: second", "a.yml:1:1: error: second too", "a.yml:2:1: error: third",
                "b.yml:1:1: error: fourth",
            ])
    }

    /// The carets are in the columns of the word after any prefix, and no control character is printed.
    @Test(arguments: [
        "\tkey: WORD", "日本: WORD", "é\u{301}: WORD", "\u{1B}[31mred\u{1B}[0m WORD", "👩‍👩‍👧 WORD", "WORD", "a\u{7}b WORD",
        String(repeating: "x", count: 500) + "WORD" + String(repeating: "y", count: 500),
        String(repeating: "宽", count: 300) + "WORD",
    ])
    func caretsMarkTheWord(line: String) throws {
        let file = SourceFile(path: "f", text: "first\n\(line)\r\nlast")
        let text = DiagnosticText().text(for: Diagnostic(.error, "bad", at: try span(file, "WORD")))
        let lines = text.split(separator: "\n").map(String.init)
        try #require(lines.count == 3)
        let word = try #require(lines[1].range(of: "WORD"))
        let caret = try #require(lines[2].range(of: "^~~~"))
        #expect(
            TerminalText.columns(String(lines[1][..<word.lowerBound]))
                == TerminalText.columns(String(lines[2][..<caret.lowerBound])))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(TerminalText.columns(lines[1]) <= 200)
    }

    @Test func aSpanOverSeveralLinesIsMarkedToTheEndOfItsFirst() {
        let file = SourceFile(path: "f", text: "one two\nthree")
        let text = DiagnosticText().text(for: Diagnostic(.error, "bad", at: Span(file: file, range: 4..<13)))
        #expect(text == "f:1:5: error: bad\n    one two\n        ^~~\n")
    }

    @Test func anEmptySpanAtTheEndOfTheTextHasOneCaret() {
        let file = SourceFile(path: "f", text: "abc")
        let text = DiagnosticText().text(for: Diagnostic(.error, "more expected", at: Span(file: file, range: 3..<3)))
        #expect(text == "f:1:4: error: more expected\n    abc\n       ^\n")
    }

    @Test func colorChangesNoWords() {
        let file = SourceFile(path: "f", text: "abc")
        let diagnostic = Diagnostic(.error, "bad", at: Span(file: file, range: 0..<1), hint: "fix it")
        let colored = DiagnosticText(style: TextStyle(isColored: true, isUnicode: true)).text(for: diagnostic)
        #expect(
            colored == """
                \u{1B}[1mf:1:1:\u{1B}[0m \u{1B}[31merror:\u{1B}[0m \u{1B}[1mbad\u{1B}[0m
                    abc
                    \u{1B}[32m^\u{1B}[0m
                \u{1B}[36mhint:\u{1B}[0m fix it

                """)
        #expect(TerminalText.sanitized(colored) == DiagnosticText().text(for: diagnostic))
    }

    @Test func onlyErrorsAreThrown() {
        var all = Diagnostics()
        all.add(Diagnostic(.warning, "old"))
        #expect(throws: Never.self) { try all.throwIfErrors() }
        all.error("bad")
        #expect(throws: Diagnostics.self) { try all.throwIfErrors() }
    }
}

extension String {
    /// Returns the range of the first occurrence of `text`.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        ranges(of: text).first
    }
}
