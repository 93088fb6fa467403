import Arguments
import Text
import Tracer
import TracerPictures

/// The command `tracer-demo bench`: measures the speed of the engine in comparison with the article's rules, and the
/// quality of its verdicts.
enum BenchCommand {
    private static let only = Key<String?>.option(
        "only", value: "part", help: "Measure only this part.",
        allowed: ["touches", "grade", "drawing", "scaling", "hands", "characters"])
    private static let points = Key<[Int]>.options(
        "points", value: "count", help: "The number of points. (default: the article's T, and 50 to 1,000,000)")
    private static let traces = Key<Int>.option(
        "traces", value: "count", default: 8, help: "The number of traces of each letter by each hand.")
    private static let leniency = Key<Double>.option(
        "leniency", value: "number", default: 0.5, help: "The leniency of scores, from 0 for strict to 1 for generous.")
    private static let ask = Key<String?>.option(
        "ask", value: "kind", help: "Only query 100,000 touches, or do one of the works of 'scaling', for a profiler.",
        allowed: TouchBench.Touches.allCases.map(\.rawValue) + ScalingBench.keys)
    private static let rounds = Key<Int>.option(
        "rounds", value: "count", default: 1, help: "The number of repetitions with '--ask'.")
    private static let export = Key<String?>.option(
        "export", value: "file", help: "Only write pieces and touches, or waves of characters, for another program.",
        completion: .file)

    static let command = DemoCommand(
        spec: CommandSpec(
            "bench", abstract: "Measure the engine against the article's rules, in CPU time.",
            discussion: """
                Compare the ratios; the times depend on the machine and its load. The exit status is 1 if more than one \
                in a thousand verdicts on a simulated hand is not as expected, if a refused trace has as many points as \
                an accepted one, or if ten times the work takes more than twenty times as long.
                """,
            parameters: [
                only.spec, points.spec, traces.spec, leniency.spec, ask.spec, rounds.spec, export.spec,
                LetterArguments.glyphs.spec,
            ]),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let sizes = arguments[points]
        guard sizes.allSatisfy({ (2...100_000_000).contains($0) }) else {
            throw Failure("expected 2 to 100,000,000 points", status: .usage)
        }
        let repetitions = max(0, arguments[rounds])
        if let kind = arguments[ask].flatMap({ TouchBench.Touches(rawValue: $0) }) {
            let hits = try TouchBench(points: sizes.first ?? 1000).ask(kind, rounds: repetitions)
            console.write("\(hits) hits\n")
            return .done
        }
        if let work = arguments[ask], try ScalingBench.work(work, size: sizes.first, rounds: repetitions) {
            return .done
        }
        let glyphs = try GlyphLibrary(arguments).glyphs
        if arguments[only] == "characters" {
            return try CharacterBench(glyphs: glyphs).report(to: console, export: arguments[export]) ? .done : .failed
        }
        if let file = arguments[export] {
            try TouchBench(points: sizes.first ?? 1000).write(to: file)
            return .done
        }
        #if DEBUG
            console.writeError("note: this is a debug build; use 'swift build -c release'\n")
        #endif
        let part = arguments[only]
        if part == nil || part == "touches" { try touches(sizes, console) }
        if part == nil || part == "grade" { grade(console) }
        if part == nil || part == "drawing" { try drawing(console) }
        var isFine = true
        if part == nil || part == "scaling" { isFine = try ScalingBench.report(to: console) }
        if part == nil || part == "hands" {
            let hands = HandBench(
                tracesOfALetter: max(1, arguments[traces]), glyphs: glyphs, leniency: arguments[leniency])
            isFine = try hands.report(to: console) && isFine
        }
        return isFine ? .done : .failed
    }

    private static func touches(_ sizes: [Int], _ console: Console) throws {
        console.write("is a touch within \(Int(BenchInput.threshold)) of the paths, ns\n\(TouchBench.header)")
        if sizes.isEmpty { console.write(try TouchBench.articleT.row()) }
        for size in sizes.isEmpty ? [50, 1000, 10_000, 100_000, 1_000_000] : sizes {
            console.write(try TouchBench(points: size).row())
        }
    }

    private static func grade(_ console: Console) {
        console.write("\ngrade of a whole stroke, path points x drawn points, µs\n")
        for (pathPoints, drawn) in [(5, 20), (10, 60), (10, 200), (30, 500)] {
            let path = TracePath(
                points: (0..<pathPoints).map { TracePoint(112 + 800 * Double($0) / Double(pathPoints - 1), 512) })
            let stroke = (0..<drawn).map {
                TracePoint(112 + 800 * Double($0) / Double(drawn - 1), 512 + 30 * ($0.isMultiple(of: 7) ? 1 : -0.5))
            }
            var sum = 0.0
            let time = Stopwatch.nanoseconds(per: 200) {
                for _ in 0..<200 { sum += StrokeGrade(stroke: stroke, path: path, threshold: 100).coverage }
            }
            console.write("\(pathPoints) x \(drawn)".padded(to: 12) + decimal(time / 1000) + "\n")
            precondition(sum > 0, "the grades are used")
        }
    }

    /// Measures the drawing of 10,000 short lines, one by one.
    private static func drawing(_ console: Console) throws {
        let input = BenchInput(points: 1000, touches: 1)
        let side = 1000.0
        var canvas = try Canvas(size: TraceSize(side, side))
        let lines = input.paths.flatMap(\.segments).map { segment in
            DisplayList.Item.stroke(
                points: [segment.start, segment.end].map {
                    TracePoint($0.x.truncatingRemainder(dividingBy: side), $0.y.truncatingRemainder(dividingBy: side))
                },
                width: 4, color: TracePicture().standardColor(.black))
        }.filter { item in
            guard case .stroke(let points, _, _) = item else { return false }
            return points[0].distance(to: points[1]) < 20
        }
        let time = Stopwatch.nanoseconds(per: 1, repetitions: 3) {
            for number in 0..<10_000 { canvas.draw(lines[number % lines.count]) }
        }
        console.write("\n10,000 lines drawn one by one, ms\n\(decimal(time / 1e6))\n")
    }
}
