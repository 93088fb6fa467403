import Text
import Tracer

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A benchmark of the verdicts on characters of other projects: correct ones must be accepted, wrong ones rejected.
struct CharacterBench {
    private struct Outcome {
        var traces = 0
        var complete = 0
        var accepted = 0

        mutating func add(_ session: TraceSession) {
            traces += 1
            if session.isComplete { complete += 1 }
            if TraceScore(session).isAccepted { accepted += 1 }
        }
    }

    private enum Change: String, CaseIterable {
        case none
        case omitted = "one omitted"
        case reversed = "one reversed"
        case swapped = "two swapped"
    }

    private let glyphs: [Glyph]

    init(glyphs: [Glyph]) { self.glyphs = glyphs }

    /// Prints the tables; returns `true` if all verdicts are as expected.
    ///
    /// - Parameter export: A file to which the waves are written for another matcher.
    func report(to console: Console, export: String?) throws -> Bool {
        var isFine = true
        console.write("\(count(glyphs.count, "character")) at 320 x 400\n")
        console.write(Self.row(["change", "mode", "traces", "complete", "accepted"]))
        for change in Change.allCases {
            for mode in TraceSettings.Mode.allCases {
                let outcome = try outcome(of: change, mode: mode)
                console.write(
                    Self.row(
                        [change.rawValue, mode.rawValue]
                            + [outcome.traces, outcome.complete, outcome.accepted].map { String($0) }))
                let accepted = change == .none ? outcome.traces : 0
                let isRefused = mode == .ordered || change == .none || change == .omitted
                if isRefused, outcome.accepted != accepted { isFine = false }
            }
        }
        try reportWaves(to: console, export: export)
        return isFine
    }

    private static func row(_ cells: [String]) -> String { cells.map { $0.padded(to: 14) }.joined() + "\n" }

    private func outcome(of change: Change, mode: TraceSettings.Mode) throws -> Outcome {
        var outcome = Outcome()
        for glyph in glyphs {
            let target = try makeTarget(glyph, size: LetterArguments.size, settings: TraceSettings(mode: mode))
            let strokes = target.paths.map(\.points)
            for number in change == .none ? 0..<1 : strokes.indices {
                var drawn = strokes
                switch change {
                case .none: break
                case .omitted: drawn.remove(at: number)
                case .reversed: drawn[number].reverse()
                case .swapped:
                    guard number > 0 else { continue }
                    drawn.swapAt(number - 1, number)
                }
                outcome.add(Self.session(drawing: drawn, on: target))
            }
        }
        return outcome
    }

    private static func session(drawing strokes: [[TracePoint]], on target: TraceTarget) -> TraceSession {
        var session = TraceSession(target: target)
        session.replay(strokes.map { Recording.Stroke(samples: $0.map { Recording.Sample($0, time: 0) }) })
        return session
    }
}

extension CharacterBench {
    private static let side = 1024.0
    private static let amplitudes = [0.03, 0.06, 0.1, 0.15]
    private static let numbers = [1, 2, 3]

    /// Prints the share of characters that are accepted if one of their short strokes has gentle waves.
    private func reportWaves(to console: Console, export: String?) throws {
        var outcomes: [[Outcome]] = Self.amplitudes.map { _ in Self.numbers.map { _ in Outcome() } }
        var lines = ""
        for (character, glyph) in glyphs.enumerated() {
            let target = try makeTarget(glyph, size: TraceSize(Self.side, Self.side), settings: TraceSettings())
            let own = glyph.paths()
            for (stroke, path) in target.paths.enumerated() where (100...300).contains(path.length) {
                // A longer stroke has room for waves from edge to edge, which HanziWriter accepts.
                guard path.length <= 5 * target.threshold else { continue }
                for (row, amplitude) in Self.amplitudes.enumerated() {
                    for (column, number) in Self.numbers.enumerated() {
                        let wave = Self.wave(along: path, amplitude: amplitude, number: number)
                        var strokes = target.paths.map(\.points)
                        strokes[stroke] = wave
                        let before = outcomes[row][column].accepted
                        outcomes[row][column].add(Self.session(drawing: strokes, on: target))
                        guard export != nil else { continue }
                        let isAccepted = outcomes[row][column].accepted > before
                        lines += "\(character) \(stroke) \(amplitude) \(number) \(isAccepted ? 1 : 0) "
                        let scale = own[stroke].length / path.length
                        let points = wave.map { own[stroke].points[0] + ($0 - path.points[0]) * scale }
                        lines += points.map { "\($0.x),\($0.y)" }.joined(separator: " ") + "\n"
                    }
                }
            }
        }
        console.write(
            "\nwaves of strokes of 100 to 300 units in a box of 1024, at most five thresholds, accepted in percent\n")
        console.write(Self.row(["amplitude"] + Self.numbers.map { count($0, "wave") } + ["traces"]))
        for (row, amplitude) in Self.amplitudes.enumerated() {
            let shares = outcomes[row].map { "\(Double($0.accepted * 1000 / max($0.traces, 1)) / 10)" }
            console.write(Self.row(["\(amplitude)"] + shares + ["\(outcomes[row][0].traces)"]))
        }
        guard let export else { return }
        let characters = glyphs.map { glyph in
            glyph.paths().map { $0.points.map { "\($0.x),\($0.y)" }.joined(separator: " ") }.joined(separator: ";")
        }
        try OutputFile(export, force: true).write(characters.joined(separator: "\n") + "\n\n" + lines)
    }

    /// Returns a line around a path, with an amplitude that is a share of the length of the path.
    private static func wave(along path: TracePath, amplitude: Double, number: Int) -> [TracePoint] {
        let length = path.length
        return (0...30).compactMap { step in
            let share = Double(step) / 30
            guard let point = path.point(at: length * share),
                let before = path.point(at: max(0, length * share - 8)),
                let behind = path.point(at: min(length, length * share + 8)), before != behind
            else { return nil }
            let along = (behind - before) * (1 / behind.distance(to: before))
            let height = amplitude * length * sin(2 * .pi * Double(number) * share)
            return TracePoint(point.x - along.y * height, point.y + along.x * height)
        }
    }
}
