import TestSupport
import Testing
import Tracer

@testable import TracerCommands

@Suite struct PictureCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = demo("simulate", "--letter", "S", "--output", "\(directory.path)/s.json")
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    @Test func renderDrawsInTheTerminalOrIntoFiles() throws {
        #expect(
            demo("render", "A").output == """
                                      ⠠⠠⠠
                                     ⠠⢠⡾⢷⡄⠡
                                    ⠠⠡⠈⠣⠜⠁⠡⠡
                                 1 ⠠⠡⠡⡸⠁⠈⢇⠡⠡  2
                                  ⠠⠡⢄⢰⠃⠡⠡⠘⡆⡠⠡
                                  ⠡⠡⠈⠐⠉⠡⠡⠉⠂⠁⠡⠡
                                 ⠠⠡⢀⡎⠡⠡⠁⠡⠡⠡⢱⡀⠡⠡
                                ⠠⠡⠡⡜⠡⠡⠁  ⠡⠡⠡⢣⠡⠡⠡
                               ⠠⠡⠡⡸⠁⠡⠡    ⠡⠡⠈⢇⠡⠡
                              ⠠⠡⠡⢰⠃⠡⠡⠁     ⠡⠡⠘⡆⠡⠡
                              ⠡⠡⢠⠇⠡⠡⠁       ⠡⠡⠸⡄⠡⠡
                ⠁⠁⠁⠁  ⠁⠁⠁⠁  ⠁⠁⠡⢀⡎⠡⠡⠁⠁⠁  ⠁⠁⠁⠁⠡⠡⠡⢱⡀⠡⠡ ⠁⠁⠁⠁  ⠁⠁⠁⠁
                            ⠠⠡⠡⡜⠡⠡⠡⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠡⠡⠡⢣⣀⡀⠡
                          3⠠⠡⣶⠇⠦⣀⣀⣀⣀⠐⠢⣀⣀⣀⣀⣀⣀⣀⣀⣀⠰⠁⣇⠈⢦
                          ⠠⠡⠡⠋⠼⠋⠡⠡⠡⠡⠐⠊⠡⠡⠡⠡⠡⠡⠡⠡⠡⠘⢄⣀⠠⠋⠡
                          ⠡⠡⢠⠇⠡⠡⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠡⠡⠸⡄⠡⠡
                         ⠠⠡⢀⡎⠡⠡⠁                ⠡⠡⠡⢱⡀⠡⠡
                        ⠠⠡⠡⡜⠡⠡⠁                  ⠡⠡⠡⢣⠡⠡⠡
                       ⠠⠡⠡⡸⠁⠡⠡                    ⠡⠡⠈⢇⠡⠡
                      ⠠⢀⠤⠄⡀⠡⠡⠁                     ⠡⠡⢀⠠⠤⡀
                ⠠⠠⠠⠠⠠⠠⠡⡇⠠⠇⢸⠡⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠠⠡⡇⠸⠄⢸⠡⠠⠠⠠⠠⠠⠠
                      ⠁⠑⠤⠤⠊⠁                        ⠁⠑⠤⠤⠊⠁






                ⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁


                """)
        #expect(
            demo("render", "A", "b", "--svg", path("ab.svg"), "--png", path("ab.png"), "--scale", "0.5").status == 0)
        #expect(try directory.read("ab.svg").contains("width=\"640\" height=\"400\""))
        #expect(try contents(of: path("ab.png")).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(demo("render", "A", "--svg", path("ab.svg")).status == 74)
        #expect(demo("render").status == 64)
        #expect(demo("render", "A", "--scale", "0").status == 64)
        #expect(demo("render", "Ω").status == 66)
    }

    @Test func cuesAreChosenByName() throws {
        func svg(_ words: String...) throws -> String {
            let result = demo(["render", "E", "--svg", path("e.svg"), "--force"] + words)
            #expect(result.status == 0)
            return try directory.read("e.svg")
        }
        func count(_ svg: String) -> Int { svg.split(separator: "<path").count }
        let none = try count(svg("--cues", "none"))
        #expect(try count(svg("--cues", "starts,ends")) == none + 8)
        #expect(try count(svg("--cues", "all")) == none + 20)
        #expect(try svg("--dark").contains("fill=\"#16181b\""))
        let wrong = demo("render", "E", "--cues", "start")
        #expect(wrong.status == 64)
        #expect(
            wrong.errors == """
                error: there is no cue 'start'
                hint: there are writing-lines, starts, ends, arrows, numbers, next, all or none

                """)
    }

    @Test func aDemonstrationIsAnimated() throws {
        #expect(demo("render", "E", "--demonstration", path("show.svg")).output.isEmpty)
        #expect(try directory.read("show.svg").contains("@keyframes draw"))
        #expect(demo("render", "E", "F", "--demonstration", path("two.svg")).status == 64)
    }

    @Test func scorePrintsPointsAndReasons() throws {
        func score(_ words: String...) -> String {
            demo(["score"] + words).output.replacing("\(directory.path)/", with: "")
        }
        _ = demo("simulate", "--letter", "T", "--hand", "wandering", "--output", path("t.json"))
        let text = score(path("s.json"), path("t.json"))
        #expect(text.hasPrefix("accepted       98 of 100  S  s.json\nnot accepted   "))
        #expect(text.contains("  T  t.json\n                          Stroke 1 is only drawn to "))
        let json = score(path("t.json"), "--json")
        #expect(json.contains("\"accepted\": false,\n") && json.contains("percent of the line is beside the letter.\""))
        #expect(demo("score", path("t.json")).status == 1)
        #expect(demo("score", path("s.json"), path("t.json")).status == 1)
        #expect(demo("score", path("s.json")).status == 0)
        #expect(demo("score", path("none.json")).status == 66)
    }

    @Test func replayIsAnimatedUnlessMotionIsReduced() {
        let replay = demo("replay", "--input", path("s.json"), "--speed", "2")
        #expect(replay.output.contains("@keyframes draw"))
        #expect(replay.output.contains("prefers-reduced-motion"))
        #expect(replay.output.hasSuffix("</svg>\n"))
        #expect(demo("replay", "--input", path("s.json"), "--speed", "0").status == 64)
    }

    @Test func ordersCountInTheScoreOfOrderedMode() throws {
        let glyph = try #require(Alphabet.glyph("l"))
        let target = try glyph.target(in: TraceSize(320, 400))
        let upwards = Recording(
            letter: "l", size: TraceSize(320, 400), threshold: 20,
            strokes: [Recording.Stroke(samples: target.paths[0].points.reversed().map { Recording.Sample($0) })])
        try directory.write(upwards.jsonText, to: "l.json")
        #expect(
            demo("score", path("l.json"), "--json").output == """
                [
                  {
                    "trace": "\(path("l.json"))",
                    "letter": "l",
                    "points": 90,
                    "accepted": true,
                    "coverage": 1,
                    "accuracy": 1,
                    "deviation": 0,
                    "reasons": [
                      "Stroke 1 was drawn from its end to its start."
                    ]
                  }
                ]

                """)
        #expect(
            demo("score", path("l.json"), "--json", "--mode", "ordered").output == """
                [
                  {
                    "trace": "\(path("l.json"))",
                    "letter": "l",
                    "points": 14,
                    "accepted": false,
                    "coverage": 0.16,
                    "accuracy": 1,
                    "deviation": 0,
                    "reasons": [
                      "Stroke 1 was drawn from its end to its start."
                    ]
                  }
                ]

                """)
    }

    @Test func existingFilesAreNotOverwritten() throws {
        try directory.write("<svg/>", to: "mine.svg")
        let refused = demo("render", "A", "--svg", path("mine.svg"))
        #expect(
            refused.status == 74
                && refused.errors == "error: '\(path("mine.svg"))' exists\nhint: use --force to overwrite it\n")
        #expect(try directory.read("mine.svg") == "<svg/>")
    }

    @Test func aPictureThatIsTooLargeIsRefusedWithTheLargestScale() throws {
        let refused = demo("render", "A", "--svg", path("a.svg"), "--png", path("a.png"), "--scale", "50")
        #expect(refused.status == 64)
        #expect(
            refused.errors == """
                error: a picture of 16000.0 by 20000.0 pixels is too large; a side has at most 16384
                hint: '--scale 40.96' is the largest that fits

                """)
        #expect(throws: (any Error).self) { try directory.read("a.svg") }
        let wide = demo(["render", "--columns", "100", "--png", path("b.png")] + Array(repeating: "l", count: 30))
        #expect(
            wide.errors == """
                error: a picture of 19200.0 by 800.0 pixels is too large; a side has at most 16384
                hint: '--scale 1.706' is the largest that fits

                """)
    }

    @Test(arguments: ["score", "import --format tracer", "render A --background"])
    func anEndlessFileIsRefused(command: String) {
        let refused = demo(command.split(separator: " ").map(String.init) + ["/dev/zero"])
        #expect(refused.status == 66)
        #expect(refused.errors == "error: could not read '/dev/zero': File too large\n")
    }
}
