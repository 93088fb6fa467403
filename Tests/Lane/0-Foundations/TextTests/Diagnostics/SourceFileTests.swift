import Testing
import Text

@Suite struct SourceFileTests {
    @Test(arguments: [
        (0, 1, 1), (2, 1, 3), (3, 2, 1), (5, 2, 2), (6, 2, 3), (7, 3, 1), (8, 4, 1), (99, 4, 1), (-5, 1, 1),
    ])
    func offsetsAreConvertedToLinesAndColumns(offset: Int, line: Int, column: Int) {
        let position = SourceFile(path: "f", text: "ab\né!\n\n").position(of: offset)
        #expect(position == SourceFile(path: "f", text: "ab\né!\n\n").position(of: offset))
        #expect((position.line, position.column) == (line, column))
    }

    @Test func linesExcludeTheirLineEndings() {
        let file = SourceFile(path: "f", text: "a\r\nb\n\nc")
        #expect((1...4).map { file.range(ofLine: $0).map(file.text) } == ["a", "b", "", "c"])
        #expect(file.range(ofLine: 5) == nil)
        #expect(file.range(ofLine: 0) == nil)
    }

    @Test func aByteOrderMarkIsNotPartOfTheFirstLine() {
        let file = SourceFile(path: "f", bytes: [0xEF, 0xBB, 0xBF] + Array("key: 1".utf8))
        #expect(file.position(of: 3).column == 1)
        #expect(file.position(of: 0).column == 1)
        #expect(file.range(ofLine: 1).map(file.text) == "key: 1")
    }

    @Test func invalidUTF8IsReplaced() {
        let file = SourceFile(path: "f", bytes: [0x61, 0xFF, 0x62])
        #expect(file.text(in: 0..<3) == "a\u{FFFD}b")
        #expect(file.position(of: 2).column == 3)
        #expect(file.text(in: 2..<99) == "b")
    }

    @Test func anEmptyTextHasOneEmptyLine() {
        let file = SourceFile(path: "f", text: "")
        #expect(file.range(ofLine: 1) == 0..<0)
        #expect(Span(file: file, range: 0..<0).location == "f:1:1")
    }
}
