import Arguments
import Diagnostics
import Tracer
import TracerPictures

/// `tracer-demo bench`: what the engine costs, against the article's rules in the same run.
enum BenchCommand {
    private static let large = Key<Bool>.flag("large", help: "Also measure 100,000 and 1,000,000 points.")
    private static let only = Key<String?>.option(
        "only", value: "part", help: "Measure one part only.", allowed: ["touches", "grade", "drawing", "hands"])

    static let command = DemoCommand(
        spec: CommandSpec(
            "bench", abstract: "Measure the engine against the article's rules, in CPU time.",
            discussion: "Take the ratios: the times are those of this machine at this moment.",
            parameters: [large.spec, only.spec]),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        #if DEBUG
            console.write("note: a debug build; 'swift build -c release' measures what is shipped\n")
        #endif
        let part = arguments[only]
        if part == nil || part == "touches" {
            try touches([50, 1000, 10_000] + (arguments[large] ? [100_000, 1_000_000] : []), console)
        }
        if part == nil || part == "grade" { grade(console) }
        if part == nil || part == "drawing" { try drawing(console) }
        if part == nil || part == "hands" { try hands(console) }
        return .done
    }

    private static func touches(_ sizes: [Int], _ console: Console) throws {
        console.write("is a touch within \(Int(BenchInput.threshold)) of the paths, ns\n")
        console.write(row("points", "near", "far", "article near", "far", "ratio near", "far", "bytes a point"))
        for size in sizes {
            let input = BenchInput(points: size, touches: 100_000)
            let index = try PathIndex(paths: input.paths, radius: BenchInput.threshold)
            let near = time(input.near, index.contains)
            let far = time(input.far, index.contains)
            var cells = [String(size), decimal(near.time), decimal(far.time)]
            if size <= 10_000 {
                let article = try ArticleSession(paths: input.paths, threshold: BenchInput.threshold)
                let count = max(500, 20_000_000 / size / 10)
                let slowNear = time(Array(input.near.prefix(count)), article.isInBounds)
                let slowFar = time(Array(input.far.prefix(count)), article.isInBounds)
                cells += [decimal(slowNear.time), decimal(slowFar.time)]
                cells += [ratio(slowNear.time, near.time), ratio(slowFar.time, far.time)]
            } else {
                cells += ["-", "-", "-", "-"]
            }
            let segments = input.paths.reduce(0) { $0 + $1.points.count - 1 }
            cells.append(String(index.byteCount / max(segments, 1)))
            console.write(row(cells))
        }
    }

    private static func time(_ points: [Point], _ isInside: (Point) -> Bool) -> (time: Double, hits: Int) {
        var hits = 0
        let time = Stopwatch.nanoseconds(per: points.count) {
            hits = 0
            for point in points where isInside(point) { hits += 1 }
        }
        return (time, hits)
    }

    private static func grade(_ console: Console) {
        console.write("\ngrade of a whole stroke, path points x drawn points, µs\n")
        for (pathPoints, drawn) in [(5, 20), (10, 60), (10, 200), (30, 500)] {
            let path = Path(
                points: (0..<pathPoints).map { Point(112 + 800 * Double($0) / Double(pathPoints - 1), 512) })
            let stroke = (0..<drawn).map {
                Point(112 + 800 * Double($0) / Double(drawn - 1), 512 + 30 * ($0.isMultiple(of: 7) ? 1 : -0.5))
            }
            var sum = 0.0
            let time = Stopwatch.nanoseconds(per: 200) {
                for _ in 0..<200 { sum += StrokeGrade(stroke: stroke, path: path, threshold: 100).coverage }
            }
            console.write("\(pathPoints) x \(drawn)".padded(to: 12) + decimal(time / 1000) + "\n")
            precondition(sum > 0, "the grades are used")
        }
    }

    private static func drawing(_ console: Console) throws {
        let input = BenchInput(points: 1000, touches: 1)
        let side = 1000.0
        var canvas = Canvas(size: Size(side, side))
        let lines = input.paths.flatMap(\.segments).map { segment in
            DisplayList.Item.stroke(
                points: [segment.start, segment.end].map {
                    Point($0.x.truncatingRemainder(dividingBy: side), $0.y.truncatingRemainder(dividingBy: side))
                },
                width: 4, color: TracePicture.standard(.black))
        }.filter { item in
            guard case .stroke(let points, _, _) = item else { return false }
            return points[0].distance(to: points[1]) < 20
        }
        let time = Stopwatch.nanoseconds(per: 1, repetitions: 3) {
            for number in 0..<10_000 { canvas.draw(lines[number % lines.count]) }
        }
        console.write("\n10,000 lines drawn one by one, ms\n\(decimal(time / 1e6))\n")
    }

    /// How many of 1,000 simulated traces a letter are judged as they were meant.
    private static func hands(_ console: Console) throws {
        console.write("\nof 1,000 simulated traces of each of \(Alphabet.all.count) letters\n")
        for kind in SimulatedHand.Kind.allCases {
            var complete = 0
            var clean = 0
            for glyph in Alphabet.all {
                let target = try makeTarget(glyph, size: LetterArguments.size, settings: TraceSettings())
                for seed in 0..<1000 {
                    var hand = SimulatedHand(kind, seed: UInt64(seed))
                    var session = TraceSession(target: target)
                    session.replay(hand.recording(of: target, letter: glyph.name, size: LetterArguments.size).strokes)
                    if session.isComplete { complete += 1 }
                    if session.lines.allSatisfy({ $0.verdict == .onPath }) { clean += 1 }
                }
            }
            let total = Double(Alphabet.all.count * 1000) / 100
            console.write(
                kind.rawValue.padded(to: 12) + "complete \(decimal(Double(complete) / total)) %, "
                    + "never off the path \(decimal(Double(clean) / total)) %\n")
        }
    }

    private static func row(_ cells: String...) -> String { row(cells) }

    private static func row(_ cells: [String]) -> String {
        cells.map { $0.padded(to: 14) }.joined() + "\n"
    }

    private static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func ratio(_ slow: Double, _ fast: Double) -> String {
        fast > 0 ? decimal(slow / fast) + " x" : "-"
    }
}
