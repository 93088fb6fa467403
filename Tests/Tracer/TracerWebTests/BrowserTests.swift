import OperatingSystem
import TestSupport
import Testing
import Text
import Tracer

@testable import TracerCommands

/// The name of a browser, or `nil` if there is none. The size of a window of `chromium` includes its controls, so its page
/// is less high.
private let browser = ["chromium-headless-shell", "chromium"].first(where: hasTool)

/// Runs the page in a real browser, without a window.
@Suite(
    .enabled(if: browser != nil, "needs chromium or chromium-headless-shell"),
    .enabled(if: Engine.canCompile, "needs a toolchain with WebAssembly"))
struct BrowserTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Loads the page with a check, and returns what the check writes.
    private func result(of check: String, _ elements: String = "", width: Int = 500, height: Int = 900) throws -> String
    {
        let page = WebPage(engine: try Engine.compiled(), glyphs: WebPage.builtIn)
        let harness = parentDirectory(#filePath) + "/Harness"
        let scripts = try ["begin", check].map { try readText("\(harness)/\($0).js") }
        let tail = "\(elements)\n<script>\(scripts.joined(separator: "\n"))</script>\n</body>"
        try directory.write(page.html().replacing("</body>", with: tail), to: "page.html")
        let run = try ChildRunner().capture(
            Command(
                browser ?? "chromium",
                [
                    "--headless", "--no-sandbox", "--disable-gpu", "--force-prefers-reduced-motion",
                    "--window-size=\(width),\(height)",
                    "--user-data-dir=\(directory.path)/profile", "--virtual-time-budget=600000", "--dump-dom",
                    "file://\(directory.path)/page.html",
                ], environment: processEnvironment(), directory: directory.path),
            limits: RunLimits(timeout: .seconds(300)))
        let start = try #require(run.text.firstRange(of: "<pre id=\"result\">"), "\(run.errorText)")
        let rest = run.text[start.upperBound...]
        return String(rest[..<(try #require(rest.firstRange(of: "</pre>"))).lowerBound])
    }

    @Test func everyLetterCanBeTracedOnThePage() throws {
        let set = """
            {"tracer-glyphs": 1, "glyphs": [
              {"name": "つ", "strokes": [[["M", 10, 20], ["L", 90, 30]]]},
              {"name": "二", "strokes": ["M10 20h80m-85 50h90M1e1-.5"]}, {"name": "二", "strokes": ["M10 20 90 30"]}
            ]}
            """
        let imported = "<script type=\"application/json\" id=\"imported\">\(set)</script>"
        let result = try result(of: "touches", imported)
        #expect(result == "done")
    }

    /// A phone upright and on its side, a tablet, a desktop, and a desktop at a zoom of 200 %.
    @Test(arguments: [(360, 640), (640, 360), (768, 1024), (1280, 800), (640, 400)])
    func thePageFits(width: Int, height: Int) throws {
        #expect(try result(of: "layout", width: width, height: height) == "done")
    }

    /// The script of `ci/web --speed`. The virtual time of the browser stands still while it runs, so its numbers say nothing.
    @Test func theSpeedCanBeMeasured() throws {
        try #require(try !Engine.compiled().isEmpty)
        let encoded = try ChildRunner().capture(
            Command(
                "base64", ["-w", "0", "\(repositoryRoot)/.build/web/tracer.wasm"], environment: processEnvironment(),
                directory: directory.path), limits: RunLimits(timeout: .seconds(60)))
        let result = try result(of: "speed", "<script type=\"text/plain\" id=\"module\">\(encoded.text)</script>")
        #expect(result.hasPrefix("with 10021 lines: a move "))
    }

    /// Each kind of hand draws some of the letters, in a mode that alternates. `LANE_PROPERTY_CASES=4x` draws all of them.
    @Test func verdictsAreThoseOfTheNativeEngine() throws {
        var traces: [String] = []
        var expected: [String] = []
        let size = LetterArguments.size
        let step = max(1, 12 / PropertySettings(name: "verdicts", cases: 3).cases)
        for (index, glyph) in Alphabet.all.enumerated() {
            for (seed, kind) in SimulatedHand.Kind.allCases.enumerated() where (index + seed) % step == 0 {
                let isOrdered = (index + seed / step) % 2 == 1
                let target = try glyph.target(in: size, settings: TraceSettings(mode: isOrdered ? .ordered : .free))
                var hand = SimulatedHand(kind, seed: UInt64(seed))
                let recording = hand.recording(of: target, letter: glyph.name, size: size)
                traces.append(Self.json(recording, isOrdered: isOrdered))
                var session = TraceSession(target: target)
                session.replay(recording.strokes)
                expected.append(Self.text(session))
            }
        }
        let list = "<script type=\"application/json\" id=\"traces\">[\(traces.joined(separator: ",\n"))]</script>"
        let found = try result(of: "verdicts", list).split(separator: "\n").map(String.init)
        #expect(found.count == expected.count)
        let different = zip(found, expected).filter { $0 != $1 }
        #expect(
            different.isEmpty, "\(different.count) of \(found.count), first \(different.first.map { "\($0)" } ?? "")")
    }

    private static func json(_ recording: Recording, isOrdered: Bool) -> String {
        let strokes = recording.strokes.map { stroke in
            "[\(stroke.samples.map { "[\($0.point.x),\($0.point.y),\($0.time)]" }.joined(separator: ","))]"
        }
        return
            "{\"letter\":\"\(recording.letter ?? "")\",\"ordered\":\(isOrdered),\"strokes\":[\(strokes.joined(separator: ","))]}"
    }

    /// Returns the results as the check in the browser writes them.
    private static func text(_ session: TraceSession) -> String {
        let score = TraceScore(session)
        let numbers = [session.completion, score.coverage, score.accuracy, score.deviation, Double(score.points)]
        let verdicts = session.lines.map { line in
            switch line.verdict {
            case .onPath: "1"
            case .offPath: "2"
            case .outOfOrder: "4"
            }
        }
        let bits = numbers.map { String($0.bitPattern, radix: 16) }.joined(separator: " ")
        return "\(bits) \(session.isComplete) \(score.isAccepted) \(verdicts.joined())"
    }
}

/// The engine that `ci/web` compiles.
enum Engine {
    static let canCompile = {
        let run = try? ChildRunner().capture(
            Command("swiftc", ["-print-target-info"], environment: processEnvironment(), directory: "/"),
            limits: RunLimits(timeout: .seconds(60)))
        let paths = run.flatMap { try? JSONParser.parse(Array($0.text.utf8)) }
        let resources = paths?["paths"]?["runtimeResourcePath"]?.string ?? ""
        return isDirectory("\(resources)/embedded/wasm32-unknown-none-wasm")
    }()

    private static let compilation = Result {
        let run = try ChildRunner().capture(
            Command("ci/web", [], environment: processEnvironment(), directory: repositoryRoot),
            limits: RunLimits(timeout: .seconds(600)))
        try #require(run.report.succeeded, "\(run.text)\(run.errorText)")
        return try readFile("\(repositoryRoot)/.build/web/tracer.wasm")
    }

    /// Returns the module, which is compiled once for all tests.
    static func compiled() throws -> [UInt8] { try compilation.get() }
}

@Suite(.enabled(if: Engine.canCompile, "needs a toolchain with WebAssembly")) struct EngineTests {
    @Test func theEngineCompilesAndIsSmall() throws {
        let page = WebPage(engine: try Engine.compiled(), glyphs: GlyphSet(glyphs: []))
        #expect(page.engine.count <= 150_000)
    }
}
