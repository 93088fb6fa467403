import Text
import Tracer

/// A benchmark of work that could take quadratic time. Each case is measured at a size and at a tenth of it.
struct ScalingBench {
    private struct Case {
        /// The word for it on the command line.
        let key: String
        let name: String
        let size: Int
        /// A closure that prepares the work of a given size and returns it. Only the returned closure is measured.
        let prepare: (Int) throws -> () -> Void
    }

    /// The words for the cases on the command line.
    static var keys: [String] { cases.map(\.key) }

    /// The largest ratio of the times. Linear work has 10 in instructions, and more in time if the larger size doesn't fit
    /// into the caches.
    private static let largestRatio = 20.0

    /// The threshold in view units, because a share would grow with the number of corners.
    private static let settings = TraceSettings(threshold: .units(BenchInput.threshold))

    private static var cases: [Case] {
        [
            Case(key: "set", name: "glyph set, elements", size: 16_000) { size in
                let source = SourceFile(path: "set.json", bytes: Array(GlyphSet(glyphs: [zigzag(size)]).jsonText.utf8))
                return {
                    let node = try? JSONParser.parse(source.bytes)
                    precondition((try? node.map { try GlyphSetReader.read($0, from: source) }) != nil, "it is valid")
                }
            },
            Case(key: "data", name: "path data, lines", size: 60_000) { size in
                let data = SVGPathData.text(zigzag(size).curves)
                return { precondition((try? SVGPathData.parse(data)) != nil, "it is valid") }
            },
            Case(key: "corners", name: "key points, corners", size: 40_000) { size in
                let target = try TraceTarget(paths: zigzag(size).paths(), settings: settings)
                return { precondition(target.keyPoints.count > size / 2, "the corners are apart") }
            },
            Case(key: "undo", name: "undo, strokes", size: 4000) { size in
                let target = try Alphabet.uppercase[19].target(in: LetterArguments.size)
                var drawn = TraceSession(target: target)
                for number in 0..<size {
                    drawn.begin(at: TracePoint(160, Double(number % 300)))
                    for step in 1...5 { drawn.move(to: TracePoint(160 + 10 * Double(step), Double(number % 300))) }
                    drawn.end()
                }
                return {
                    var session = drawn
                    while session.undo() {}
                }
            },
            Case(key: "bars", name: "nine moves, bars", size: 40_000) { size in
                let bars = (0..<size).map { bar in
                    // The bars are not in the order in which the move crosses them.
                    let x = Double(bar * 7919 % size) * 100
                    return TracePath(points: [TracePoint(x, -50), TracePoint(x, 50)])
                }
                let session = TraceSession(target: try TraceTarget(paths: bars, settings: settings))
                return {
                    var session = session
                    session.begin(at: .zero)
                    // At the eighth crossing, the line near each bar is longer than permitted.
                    for crossing in 1...9 {
                        session.move(to: TracePoint(crossing.isMultiple(of: 2) ? 0 : Double(size) * 100, 0))
                    }
                }
            },
        ]
    }

    /// Returns a glyph of a single stroke with corners 100 units apart. All numbers have the same number of digits,
    /// whatever the number of corners.
    private static func zigzag(_ corners: Int) -> Glyph {
        let lines = (1...corners).map { "L\(1_000_000 + $0 * 100) \($0.isMultiple(of: 2) ? 100 : 200)" }
        let curves = try? SVGPathData.parse("M1000000 100" + lines.joined())
        return Glyph(name: "zigzag", curves: curves ?? [])
    }

    /// Does the work of a case of some size, for a profiler; returns `false` if there is no such case.
    static func work(_ key: String, size: Int?, rounds: Int) throws -> Bool {
        guard let entry = cases.first(where: { $0.key == key }) else { return false }
        let work = try entry.prepare(size ?? entry.size)
        for _ in 0..<rounds { work() }
        return true
    }

    /// Prints a table; returns `true` if no case exceeds the largest ratio.
    static func report(to console: Console) throws -> Bool {
        console.write("\nten times the work, ms\n")
        console.write(["case", "size", "a tenth", "whole", "ratio"].map { $0.padded(to: 22) }.joined() + "\n")
        var isFine = true
        for entry in cases {
            let times = try [entry.size / 10, entry.size].map { size in
                let work = try entry.prepare(size)
                return Stopwatch.nanoseconds(per: 1, repetitions: 15, work) / 1e6
            }
            let cells = [entry.name, String(entry.size), thousandths(times[0]), thousandths(times[1])]
            console.write(
                (cells + [ratio(times[1], times[0])]).map { $0.padded(to: 22) }.joined() + "\n")
            if times[1] > largestRatio * times[0] { isFine = false }
        }
        return isFine
    }

    private static func thousandths(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
