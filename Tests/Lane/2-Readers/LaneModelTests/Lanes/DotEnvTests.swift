import LaneModel
import TestSupport
import Testing
import Text

@Suite struct DotEnvTests {
    @Test func variablesAreParsed() {
        let (variables, diagnostics) = DotEnv.parse(
            SourceFile(
                path: ".env",
                text:
                    "\u{FEFF}# comment\nA=1\n  export B = x\nC=a b # note\nD='it # is \\n $X'\nE=\"x\\n\\t\\\"\\$Y\\\\\\q\"\r\nF=\nG=a#b\nH='two\nlines' # end\nÜ=1\n"
                    .replacing("export B = x", with: "export B=x").replacing("Ü=1\n", with: "export=2")))
        #expect(DiagnosticText().text(for: diagnostics) == "")
        #expect(
            variables.map { [$0.name, $0.value] } == [
                ["A", "1"], ["B", "x"], ["C", "a b"], ["D", "it # is \\n $X"], ["E", "x\n\t\"$Y\\\\q"], ["F", ""],
                ["G", "a#b"],
                ["H", "two\nlines"], ["export", "2"],
            ])
    }

    @Test func leadingWhitespaceIsNotPartOfAValue() {
        let text = "A= x y \nB=  \"q\"\nC=\t'r ' # c\nD=  # c\nE= \n"
        let (variables, diagnostics) = DotEnv.parse(SourceFile(path: ".env", text: text))
        #expect(diagnostics.all.isEmpty)
        #expect(variables.map(\.value) == ["x y", "q", "r ", "", ""])
    }

    /// The values are those of a shell.
    @Test(arguments: [
        ("#x", "#x"), (" #x", ""), ("a#b # c", "a#b"), ("'x'y", "xy"), ("\"a\"#b", "a#b"), ("'a' # c", "a"),
        ("'a''b'\"c d\"e#f # g", "abc de#f"), ("''#", "#"), ("'#'", "#"), ("\"\"", ""),
    ])
    func commentsAndTextAfterQuotes(line: String, value: String) {
        let (variables, diagnostics) = DotEnv.parse(SourceFile(path: ".env", text: "A=\(line)\n"))
        #expect(diagnostics.all.isEmpty)
        #expect(variables.map(\.value) == [value])
    }

    @Test func linesMayEndInACarriageReturnAlone() {
        let (variables, diagnostics) = DotEnv.parse(SourceFile(path: ".env", text: "# old\rA=1\rB=2 # x\rC='3'\r"))
        #expect(diagnostics.all.isEmpty)
        #expect(variables.map { [$0.name, $0.value] } == [["A", "1"], ["B", "2"], ["C", "3"]])
    }

    @Test(arguments: [
        ("A=1\n«=»x\nB=2", "expected the name of a variable"), ("«1A»=x", "expected the name of a variable"),
        ("A«  »B", "expected '=' right after the name 'A'"), ("A« »= x", "expected '=' right after the name 'A'"),
        ("A=«'»x", "unterminated quote"),
        ("A='x' «y»", "expected the end of the line after the value"), ("A='x'y«'»z", "unterminated quote"),
        ("A=1\n«A»=2", "'A' is defined twice"),
        ("A=«`»{\nb=\n}`\nB=1", "a backtick does not quote a value"), ("A=«`»x", "a backtick does not quote a value"),
    ]) func errorsAreReported(_ marked: String, _ message: String) {
        let expected = MarkedText(marked.replacing("«  »", with: "« » "))
        let (_, diagnostics) = DotEnv.parse(SourceFile(path: ".env", text: expected.text))
        #expect(diagnostics.all.map(\.message) == [message])
        #expect(diagnostics.all.compactMap { $0.span?.range } == expected.ranges)
    }

    @Test(arguments: [
        ("A", "write 'A=VALUE', without spaces around '='"), ("A  B", "write 'A=VALUE', without spaces around '='"),
        ("A = x", "write 'A=VALUE', without spaces around '='"), ("A: x", "write 'A=VALUE', without spaces around '='"),
        ("C-D=1", "a name has only letters, digits and '_'"), ("E.F=2", "a name has only letters, digits and '_'"),
        ("set G=1", "remove 'set'"), ("A='x", "end the value with ', or enclose it in double quotes"),
        ("A=\"x", "end the value with \", or enclose it in single quotes"),
    ]) func hintsDoNotRepeatTheMistake(text: String, hint: String) {
        #expect(DotEnv.parse(SourceFile(path: ".env", text: text)).diagnostics.all.map(\.hint) == [hint])
    }

    /// Escapes are as they are written, and a backslash at the end of a line is no escape.
    @Test(arguments: ["\r\n", "\r", "\n"]) func lineEndsInQuotesAreLineFeeds(end: String) {
        let text = ["A='-----BEGIN", "x'", "B=\"y\\r\\n", "", "z\\", "\""].joined(separator: end)
        let (variables, diagnostics) = DotEnv.parse(SourceFile(path: ".env", text: text))
        #expect(diagnostics.all.isEmpty)
        #expect(variables.map(\.value) == ["-----BEGIN\nx", "y\r\n\n\nz\\\n"])
    }

    @Test func utf16IsReportedOnce() {
        for bytes: [UInt8] in [[0xFF, 0xFE, 0x41, 0, 0x3D, 0, 0x0A, 0], [0xFE, 0xFF, 0, 0x41, 0, 0x3D, 0, 0x0A]] {
            let (variables, diagnostics) = DotEnv.parse(SourceFile(path: ".env", bytes: bytes))
            #expect(variables.isEmpty)
            #expect(diagnostics.all.map(\.message) == ["expected UTF-8, found UTF-16"])
            #expect(diagnostics.all.map(\.hint) == ["save the file as UTF-8"])
        }
    }
}
