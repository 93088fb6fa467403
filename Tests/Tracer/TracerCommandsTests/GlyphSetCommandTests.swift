import OperatingSystem
import TestSupport
import Testing

@Suite struct GlyphSetCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write(
            """
            {"tracer-glyphs": 1, "name": "signs", "glyphs": [
              {"name": "plus", "orders": [[2, -1]], "strokes": [
                [["M", 50, 0], ["L", 50, 100]],
                "M0 50H100"
              ]},
              {"name": "ring", "strokes": [[["M", 100, 50], ["A", 50, 50, 50, 50, 0, 0, 6.283185307179586]]]}
            ]}
            """, to: "signs.json")
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    @Test func glyphsOfAFileCanBeTraced() throws {
        let glyphs = path("signs.json")
        #expect(demo("letters", "--glyphs", glyphs).output.hasSuffix(" plus ring\n"))
        #expect(demo("simulate", "--glyphs", glyphs, "--letter", "plus", "-o", path("t.json")).status == 0)
        let traced = demo("trace", "--glyphs", glyphs, "-i", path("t.json"), "--mode", "ordered")
        #expect(traced.status == 0 && traced.output.hasPrefix("✓ plus: complete\n"))
        let scored = demo("score", "--glyphs", glyphs, path("t.json"), "--json")
        #expect(
            scored.output == """
                [
                  {
                    "trace": "\(path("t.json"))",
                    "letter": "plus",
                    "points": 98,
                    "accepted": true,
                    "coverage": 1,
                    "accuracy": 1,
                    "deviation": 0.0883,
                    "reasons": []
                  }
                ]

                """)
        #expect(demo("replay", "--glyphs", glyphs, "-i", path("t.json")).output.contains("class=\"line\""))
        #expect(demo("render", "--glyphs", glyphs, "all", "--svg", path("signs.svg")).status == 0)
    }

    @Test func anAppIsADirectoryOfFiles() throws {
        try directory.write("\0asm", to: "engine.wasm")
        let app = path("site/app")
        let result = demo("web", "--glyphs", path("signs.json"), "--engine", path("engine.wasm"), "--app", app)
        #expect(result.status == 0 && result.output.hasPrefix("\(app)/index.html: 2 letters"), "\(result.errors)")
        let page = try directory.read("site/app/index.html")
        for file in ["app.webmanifest", "icon.svg", "worker.js"] {
            #expect(page.contains("\"\(file)\"") && fileKind("\(app)/\(file)") == .file, "\(file)")
        }
        let again = demo("web", "--engine", path("engine.wasm"), "--app", app)
        #expect(again.status != 0 && again.errors.contains("--force"))
    }

    @Test func withoutTheFileItsGlyphsAreUnknown() {
        let glyphs = path("signs.json")
        let unknown = demo("render", "--glyphs", glyphs, "A")
        #expect(
            unknown.status == 66
                && unknown.errors
                    == "error: '\(glyphs)' has no 'A'\nhint: 'tracer-demo letters --glyphs \(glyphs)' lists what it has\n"
        )
        #expect(
            demo("render", "ring").errors
                == "error: there is no letter 'ring'\nhint: 'tracer-demo letters' lists the built-in letters\n")
        #expect(demo("render", "--glyphs", path("none.json"), "A").status == 66)
    }

    @Test func importWritesAGlyphSet() throws {
        try directory.write("12345  6JZRIR[ RIRRR\n12345  3JZRIRJ\n", to: "font.jhf")
        #expect(demo("import", path("font.jhf"), "-o", path("font.json"), "--name", "plain").status == 0)
        #expect(try directory.read("font.json").hasPrefix("{\"tracer-glyphs\":1,\"name\":\"plain\",\"glyphs\":[\n"))
        #expect(demo("import", path("font.jhf"), "-o", path("font.json")).status == 74)
        #expect(demo("letters", "--glyphs", path("font.json")).output.hasSuffix("   !\n"))
        let again = demo("import", path("font.json"), "--letter", " ")
        #expect(again.output == "    2 strokes, 4 points\n")
    }

    @Test func aBoxIsKeptAndChecked() throws {
        func set(_ box: String) -> String {
            "{\"tracer-glyphs\": 1, \"glyphs\": [{\"name\": \"-\", \"strokes\": [\"M2 8L8 8\"], \"box\": \(box)}]}"
        }
        try directory.write(set("[0, 0, 10, 12.5]"), to: "box.json")
        #expect(demo("import", path("box.json"), "-o", path("again.json")).status == 0)
        #expect(
            try directory.read("again.json") == """
                {"tracer-glyphs":1,"glyphs":[
                    {"name":"-","box":[0,0,10,12.5],"strokes":[
                      [["M",2,8],["L",8,8]]
                    ]}
                ]}

                """)
        for box in ["[0, 0, 1]", "[0, 0, 1, 1, 1]", "[0, 0, 1, 0]", "[0, 0, -1, 1]", "[1e300, 0, 1, 1]", "7"] {
            try directory.write(set(box), to: "bad.json")
            let bad = demo("letters", "--glyphs", path("bad.json"))
            #expect(bad.status == 65)
            #expect(
                bad.errors == """
                    \(path("bad.json")):1:79: error: expected [x, y, width, height] in 'box', with a width and a height above zero
                        \(set(box))
                        \(String(repeating: " ", count: 78))^\(String(repeating: "~", count: box.count - 1))

                    """)
        }
    }

    @Test func errorsHaveSourceLocations() throws {
        try directory.write(
            """
            {"tracer-glyphs": 3, "nmae": "x", "glyphs": [
              {"name": 7, "strokes": [[["L", 1, 2]], "M1 x", [["M", 0, 0], ["Q", 1]], [["M", 0, "a"]]]},
              {"name": "b", "strokes": ["M0 0L1 1"], "orders": [[2]]}
            ]}
            """, to: "bad.json")
        let bad = demo("letters", "--glyphs", path("bad.json"))
        #expect(bad.status == 65)
        let text = bad.errors.replacing(directory.path + "/", with: "")
        #expect(
            text == """
                bad.json:1:19: error: expected format 1 in 'tracer-glyphs'
                    {"tracer-glyphs": 3, "nmae": "x", "glyphs": [
                                      ^
                bad.json:1:22: error: unknown field 'nmae'
                    {"tracer-glyphs": 3, "nmae": "x", "glyphs": [
                                         ^~~~~~
                hint: did you mean 'name'?
                bad.json:2:12: error: expected a glyph with a string in 'name'
                      {"name": 7, "strokes": [[["L", 1, 2]], "M1 x", [["M", 0, 0], ["Q", 1]], [["M", 0, "a"]]]},
                               ^
                bad.json:2:28: error: expected a stroke that starts with ["M", x, y], or a string of path data
                      {"name": 7, "strokes": [[["L", 1, 2]], "M1 x", [["M", 0, 0], ["Q", 1]], [["M", 0, "a"]]]},
                                               ^~~~~~~~~~~
                bad.json:2:42: error: expected a number at offset 3 of the path data
                      {"name": 7, "strokes": [[["L", 1, 2]], "M1 x", [["M", 0, 0], ["Q", 1]], [["M", 0, "a"]]]},
                                                             ^~~~~~
                bad.json:2:64: error: expected ["L", x, y], or "Q" with 4, "C" with 6 or "A" with 7 numbers
                      {"name": 7, "strokes": [[["L", 1, 2]], "M1 x", [["M", 0, 0], ["Q", 1]], [["M", 0, "a"]]]},
                                                                                   ^~~~~~~~
                bad.json:2:76: error: expected a stroke that starts with ["M", x, y], or a string of path data
                      {"name": 7, "strokes": [[["L", 1, 2]], "M1 x", [["M", 0, 0], ["Q", 1]], [["M", 0, "a"]]]},
                                                                                               ^~~~~~~~~~~~~
                bad.json:3:53: error: expected each of 1 stroke once, starting at one, negative if drawn backwards
                      {"name": "b", "strokes": ["M0 0L1 1"], "orders": [[2]]}
                                                                        ^~~

                """)
    }

    @Test func imagesAreShownBehindAndAtKeyPoints() throws {
        #expect(demo("render", "o", "--png", path("dot.png"), "--scale", "0.1").status == 0)
        let words = ["--background", path("dot.png"), "--key-points", path("dot.png")]
        _ = demo("simulate", "--letter", "T", "-o", path("t.json"))
        for (number, start) in [["render", "T"], ["trace", "-i", path("t.json")]].enumerated() {
            let made = demo(start + words + ["--svg", path("\(number).svg"), "--thumbnail", path("\(number).png")])
            #expect(made.status == 0, "\(made.errors)")
            let svg = try directory.read("\(number).svg")
            // One definition for the background and one for all key points.
            #expect(svg.split(separator: "data:image/png;base64,").count == 3)
            #expect(svg.split(separator: "<use ").count > 4)
        }
        #expect(demo(["replay", "-i", path("t.json")] + words).output.contains("data:image/png"))
    }

    @Test func invalidImagesAreRejected() throws {
        try directory.write("GIF89a", to: "x.gif")
        let refused = demo("render", "T", "--background", path("x.gif"))
        #expect(refused.status == 65 && refused.errors.hasSuffix("x.gif' is not a PNG image\n"))
        #expect(demo("render", "T", "--key-points", path("none.png")).status == 66)
    }
}
