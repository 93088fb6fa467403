import TestSupport
import Testing

@Suite struct ImportCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    @Test func theYAxisOfAHanziWriterCharacterIsInverted() throws {
        try directory.write(
            "{\"strokes\": [\"M 0 0\"], \"medians\": [[[100, 800], [900, 800]], [[500, 800], [500, 0]]]}", to: "T.json")
        let result = demo("import", path("T.json"), "--svg", path("t.svg"))
        #expect(result.output == "T   2 strokes, 4 points\n" && result.status == 0)
        #expect(try directory.read("t.svg").contains("<svg"))
    }

    @Test(arguments: [
        (
            "bad.json", "{\"medians\": [[[1, 2], [3]]]}",
            """
            bad.json:1:23: error: expected [x, y]
                {"medians": [[[1, 2], [3]]]}
                                      ^~~

            """
        ),
        (
            "bad.jhf", "12345  1JZ\nnonsense line\n",
            """
            bad.jhf:2:1: error: expected a glyph number and a count in eight characters
                nonsense line
                ^~~~~~~~~~~~~

            """
        ),
        (
            "bad.svg", "<svg>\n<path d=\"M0 0\"/>\n<path\n d=\"M0 0Lx\"/></svg>",
            """
            bad.svg:3:1: error: stroke 2: expected a number at offset 5
                <path
                ^~~~~

            """
        ),
        ("empty.svg", "<svg/>", "error: empty.svg: there is no path element with data\n"),
        (
            "what.bin", "",
            """
            error: unknown format of 'what.bin'
            hint: use --format with tracer, kanjivg, hershey or hanziwriter

            """
        ),
    ])
    func errorsHaveSourceLocations(file: String, content: String, message: String) throws {
        try directory.write(content, to: file)
        let result = demo("import", path(file))
        #expect(result.status == 65)
        #expect(result.errors.replacing("\(directory.path)/", with: "") == message)
    }

    @Test func aFileMustBeNamedAndExist() {
        #expect(demo("import", path("none.svg")).status == 66)
        #expect(demo("import").status == 64)
    }
}
