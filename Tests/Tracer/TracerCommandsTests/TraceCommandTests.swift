import TestSupport
import Testing
import Text
import TracerCommands

/// Runs a command line in this process.
func demo(_ words: String...) -> (output: String, errors: String, status: Int32) { demo(words) }

func demo(_ words: [String]) -> (output: String, errors: String, status: Int32) {
    var output = ""
    var errors = ""
    let console = Console(style: .plain, width: 80, write: { output += $0 }, writeError: { errors += $0 })
    let status = Demo(console: console).run(words).rawValue
    return (output, errors, status)
}

@Suite struct TraceCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    @Test(arguments: ["T", "a", "8", "i"]) func aSteadyHandCompletesALetter(letter: String) throws {
        let made = demo("simulate", "--letter", letter, "-o", path("t.json"))
        #expect(made.status == 0 && made.output.isEmpty && made.errors.isEmpty)
        let traced = demo("trace", "--input", path("t.json"), "--svg", path("t.svg"))
        #expect(traced.status == 0)
        #expect(traced.output.hasPrefix("✓ \(letter): complete\n  drawn    100 %\n"))
        #expect(try directory.read("t.svg").hasSuffix("</svg>\n"))
    }

    @Test func aWanderingHandGetsRedLinesAndStatusOne() throws {
        _ = demo("simulate", "--letter", "T", "--hand", "wandering", "-o", path("t.json"))
        let traced = demo("trace", "--input", path("t.json"), "--json")
        #expect(traced.status == 1)
        #expect(
            traced.output == """
                {
                  "letter": "T",
                  "verdict": "incomplete",
                  "complete": false,
                  "completion": 0.9161,
                  "threshold": 20,
                  "mode": "free",
                  "lines": {
                    "black": 65,
                    "red": 12,
                    "green": 0,
                    "amber": 0
                  },
                  "paths": [
                    0.9024,
                    0.9329
                  ]
                }

                """)
    }

    @Test func aZigzagGetsStatusOne() throws {
        _ = demo("simulate", "--letter", "l", "--hand", "zigzag", "-o", path("z.json"))
        let traced = demo("trace", "--input", path("z.json"))
        #expect(traced.status == 1)
        #expect(
            traced.output == """
                ✗ l: scribbled over
                  drawn    99 % (too much line for stroke 1)
                  on path  249 of 249 lines
                  pen down 1 time

                """)
    }

    @Test func existingFilesAreOverwrittenOnlyWithForce() throws {
        try directory.write("precious", to: "t.svg")
        _ = demo("simulate", "--letter", "T", "-o", path("t.json"))
        let refused = demo("trace", "-i", path("t.json"), "--svg", path("t.svg"))
        #expect(refused.status == 74)
        #expect(refused.errors == "error: '\(path("t.svg"))' exists\nhint: use --force to overwrite it\n")
        #expect(try directory.read("t.svg") == "precious")
        #expect(demo("trace", "-i", path("t.json"), "--svg", path("t.svg"), "--force").status == 0)
        #expect(try directory.read("t.svg") != "precious")
    }

    @Test func errorsInARecordingHaveSourceLocations() throws {
        try directory.write(
            """
            {"tracer": 1, "leter": "T", "width": 320, "height": -4, "threshold": 20,
             "strokes": [
               [[10, 10, 0], [20, "x"]],
               [[1]]
             ]}
            """, to: "bad.json")
        let bad = demo("trace", "-i", path("bad.json"))
        #expect(bad.status == 65)
        let text = bad.errors.replacing(directory.path + "/", with: "")
        #expect(
            text == """
                bad.json:1:15: error: unknown field 'leter'
                    {"tracer": 1, "leter": "T", "width": 320, "height": -4, "threshold": 20,
                                  ^~~~~~~
                hint: did you mean 'letter'?
                bad.json:1:53: error: expected a number above zero in 'height', found -4
                    {"tracer": 1, "leter": "T", "width": 320, "height": -4, "threshold": 20,
                                                                        ^~
                bad.json:3:23: error: expected a number in stroke 1, found a string
                       [[10, 10, 0], [20, "x"]],
                                          ^~~
                bad.json:4:5: error: expected [x, y] or [x, y, seconds] in stroke 2, found a list of 1
                       [[1]]
                        ^~~

                """)
    }

    @Test func otherErrorsHaveTheirOwnStatus() throws {
        try directory.write("{\"tracer\": 1,", to: "cut.json")
        #expect(demo("trace", "-i", path("missing.json")).status == 66)
        #expect(demo("trace", "-i", path("cut.json")).status == 65)
        #expect(demo("trace").status == 64)
        #expect(
            demo("trase").errors == """
                Error: Unknown command 'trase'. Did you mean 'trace'?
                Usage: tracer-demo <subcommand>
                  See 'tracer-demo --help' for more information.

                """)
        #expect(demo("simulate", "--letter", "É").status == 66)
        #expect(
            demo("simulate", "--letter", "T", "--threshold", "-3").errors
                == "error: expected a threshold above zero, found -3.0\n")
    }

    @Test(arguments: [[], ["letters"], ["trace"], ["simulate"]]) func helpIsOnStandardOutput(command: [String]) {
        let words = command + ["--help"]
        let console = Console(
            style: .plain, width: 80, write: { #expect($0.contains("OVERVIEW: ")) }, writeError: { _ in })
        #expect(Demo(console: console).run(words).rawValue == 0)
    }
}
