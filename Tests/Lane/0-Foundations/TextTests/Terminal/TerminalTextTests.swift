import Testing
import Text

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("\u{1B}[1;31mred\u{1B}[0m", 3), ("✔ ok", 4),
        ("🚀", 2), ("✅ ⚡ ⭐", 8), ("❤\u{FE0F}", 2), ("⌛⏰☔", 6), ("→ ✔ ★", 5),
        ("\u{1B}]8;;https://example.org\u{7}link\u{1B}]8;;\u{1B}\\", 4), ("a\u{200B}b", 2),
    ])
    func columns(text: String, expected: Int) {
        #expect(TerminalText.columns(text) == expected)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 4, "abc…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("日本語", 4, "日…"),
        ("\u{1B}[31mabcdef\u{1B}[0m", 3, "\u{1B}[31mab\u{1B}[0m…\u{1B}[0m"),
    ])
    func truncation(text: String, limit: Int, expected: String) {
        let cut = TerminalText.truncated(text, to: limit)
        #expect(cut == expected)
        #expect(TerminalText.columns(cut) <= limit)
    }

    @Test(arguments: [
        ("one two three", 13, ["one two three"]), ("one two three", 12, ["one two", "    three"]),
        ("  a/long/path/without/spaces next", 12, ["  a/long/path/without/spaces", "      next"]),
        ("one  two", 4, ["one", "  two"]), ("日本 日本 日本", 9, ["日本 日本", "    日本"]), ("", 4, [""]),
        ("a \u{1B}[31mb c\u{1B}[0m d", 4, ["a \u{1B}[31mb\u{1B}[0m", "  \u{1B}[31mc\u{1B}[0m", "  d"]),
    ])
    func foldedLinesBreakAtSpaces(line: String, width: Int, rows: [String]) {
        #expect(TerminalText.folded(line, to: width) == rows)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\tb", "a    b"), ("one\ntwo", "one\ntwo"), ("\u{1B}[2J\u{1B}[31mx\u{1B}[m", "x"),
        ("\u{1B}]0;title\u{7}x", "x"), ("x\u{8}\u{7}\u{0}y", "xy"), ("a\u{9B}31mb", "a31mb"), ("cut \u{1B}[3", "cut "),
        ("naïve ✔", "naïve ✔"), ("a \u{1B}]0;title\nb", "a 0;title\nb"), ("a\u{1B}\nb", "a\nb"),
        ("a\u{1B}[31\nb", "a\nb"), ("(\"\u{1B}]8;;\") is not (\"\")", "(\"8;;\") is not (\"\")"),
        ("\u{1B}]8;;x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
    ])
    func harmlessTextHasNoControlSequences(text: String, expected: String) {
        #expect(TerminalText.sanitized(text) == expected)
    }

    @Test(arguments: [
        ("plain\r", "plain"), (" 10 %\r 20 %", " 20 %"), ("\u{1B}[32mok", "\u{1B}[32mok\u{1B}[0m"),
        ("\u{1B}[32mok\u{1B}[0m", "\u{1B}[32mok\u{1B}[0m"), ("\u{1B}[2Kdone\u{1B}[5A", "done"),
    ])
    func rowsKeepOnlyColors(line: String, expected: String) {
        #expect(TerminalText.row(line, keepsColor: true) == expected)
        #expect(!TerminalText.row(line, keepsColor: false).contains("\u{1B}"))
    }
}
