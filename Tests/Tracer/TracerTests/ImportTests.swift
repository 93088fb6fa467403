import TestSupport
import Testing
import Tracer

@Suite struct ImportTests {
    @Test func aKanjiVGFileGivesItsStrokesInOrder() throws {
        let glyph = try KanjiVG.glyph(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- not a stroke: <path d="M9,9"/> -->
            <svg xmlns="http://www.w3.org/2000/svg" width="109" height="109" viewBox="0 0 109 109">
            <g id="kvg:StrokePaths_00054"><g id="kvg:00054" kvg:element="T">
            <path id="kvg:00054-s1" d="M20,20 c0,0 60,0 60,0"/>
              <path
                d='M50,20L50,90' id="kvg:00054-s2"/>
            </g></g>
            <g id="kvg:StrokeNumbers_00054"><text transform="matrix(1 0 0 1 12 22)">1</text></g>
            </svg>
            """)
        #expect(glyph.name == "T" && glyph.box == TraceRect(x: 0, y: 0, width: 109, height: 109))
        #expect(glyph.paths(tolerance: 1).map(\.points.first) == [TracePoint(20, 20), TracePoint(50, 20)])
        #expect(glyph.paths(tolerance: 1).map(\.points.last) == [TracePoint(80, 20), TracePoint(50, 90)])
    }

    @Test func invalidKanjiVGFilesAreRejected() throws {
        for box in ["", "viewBox='0 0 9'", "viewBox='0 0 a b'", "viewBox='0 0 0 0'"] {
            let square = try KanjiVG.glyph("<svg \(box)><path d='M10 10L80 10'/></svg>").box
            #expect(square == TraceRect(x: 5, y: -30, width: 80, height: 80))
        }
        #expect(throws: KanjiVG.Failure.noPaths) { try KanjiVG.glyph("<svg></svg>") }
        #expect(throws: KanjiVG.Failure.noPaths) { try KanjiVG.glyph("path d=\"M0 0\"") }
        #expect { try KanjiVG.glyph("<path d=\"M0 0\"/><path d=\"L\"/>") } throws: {
            "\($0)" == "stroke 2: expected 'M' before 'L' at offset 0"
        }
    }

    @Test func aHersheyFontGivesOneGlyphForEachEntry() throws {
        // A space, a plus of two strokes, and a long glyph on two lines.
        let text = "12345  1JZ\n12345  6JZRIR[ RIRRR\n12345  7JZRIRJRK\nRLRMRN\n"
        let glyphs = try HersheyFont.glyphs(text)
        #expect(glyphs.map(\.name) == [" ", "!", "\""])
        #expect(glyphs[0].curves.isEmpty)
        // From the left border to the right one, and at least 26 wide.
        #expect(glyphs[1].box == TraceRect(x: -13, y: -16, width: 26, height: 32))
        let wide = try HersheyFont.glyphs("12345  1=h\n")[0]
        #expect(wide.box == TraceRect(x: -21, y: -16, width: 43, height: 32))
        #expect(
            glyphs[1].paths().map(\.points) == [
                [TracePoint(0, -9), TracePoint(0, 9)], [TracePoint(-9, 0), TracePoint(0, 0)],
            ])
        #expect(glyphs[2].paths().map(\.points.count) == [6])
    }

    @Test(arguments: [("hello", 1), ("12345 -3JZ", 1), ("12345  1JZ\n12345  9JZ\n", 2)])
    func errorsInAHersheyFontHaveALine(text: String, line: Int) throws {
        #expect(try #require(throws: HersheyFont.Failure.self) { try HersheyFont.glyphs(text) }.line == line)
    }

    @Test func noInputTraps() {
        checkProperty("no file traps", .text, cases: 500) { text in
            _ = try? HersheyFont.glyphs("12345  3" + text)
            _ = try? KanjiVG.glyph("<path " + text + "d=\"" + text + "\">")
            return true
        }
    }
}
