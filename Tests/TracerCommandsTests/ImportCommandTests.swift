import TestSupport
import Testing

@Suite struct ImportCommandTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    @Test func theYAxisOfAHanziWriterCharacterIsInverted() throws {
        try folder.write(
            "{\"strokes\": [\"M 0 0\"], \"medians\": [[[100, 800], [900, 800]], [[500, 800], [500, 0]]]}", to: "T.json")
        let result = demo("import", path("T.json"), "--svg", path("t.svg"))
        #expect(result.output == "T   2 strokes, 4 points\n" && result.status == 0)
        #expect(try folder.read("t.svg").contains("<svg"))
    }

    @Test func errorsHaveSourceLocations() throws {
        try folder.write("{\"medians\": [[[1, 2], [3]]]}", to: "bad.json")
        #expect(demo("import", path("bad.json")).errors.contains("bad.json:1:23: error: expected [x, y]"))
        try folder.write("12345  1JZ\nnonsense line\n", to: "bad.jhf")
        #expect(demo("import", path("bad.jhf")).errors.contains("bad.jhf:2:1: error: expected a glyph number"))
        try folder.write("<svg>\n<path d=\"M0 0\"/>\n<path\n d=\"M0 0Lx\"/></svg>", to: "bad.svg")
        #expect(
            demo("import", path("bad.svg")).errors.contains(
                "bad.svg:3:1: error: stroke 2: expected a number at offset 5"))
        try folder.write("<svg/>", to: "empty.svg")
        #expect(demo("import", path("empty.svg")).status == 65)
        try folder.write("", to: "what.bin")
        #expect(
            demo("import", path("what.bin")).errors.contains(
                "hint: use --format with tracer, kanjivg, hershey or hanziwriter"))
        #expect(demo("import", path("none.svg")).status == 66)
        #expect(demo("import").status == 64)
    }
}
