import Diagnostics
import Tracer

/// How simulated hands fare: what should be accepted is, what should not be isn't.
struct HandBench {
    /// Of traces of every letter.
    struct Outcome {
        var traces = 0
        var complete = 0
        var accepted = 0
        var clean = 0
        /// Letters that a correct hand did not complete, or a wrong one did, with the seed.
        var surprises: [String] = []
    }

    let tracesOfALetter: Int
    var glyphs = Alphabet.all

    func outcome(of kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws -> Outcome {
        var outcome = Outcome()
        let size = LetterArguments.size
        for glyph in glyphs {
            let target = try makeTarget(glyph, size: size, settings: TraceSettings(mode: mode))
            for seed in 0..<tracesOfALetter {
                var hand = SimulatedHand(kind, seed: UInt64(seed))
                var session = TraceSession(target: target)
                session.replay(hand.recording(of: target, letter: glyph.name, size: size).strokes)
                outcome.traces += 1
                if session.isComplete { outcome.complete += 1 }
                if TraceScore(session).isAccepted { outcome.accepted += 1 }
                if session.lines.allSatisfy({ $0.verdict == .onPath }) { outcome.clean += 1 }
                // Who wanders off may come back and complete the letter: its lines beside the guide are red.
                if kind != .wandering, session.isComplete != kind.isCorrect {
                    outcome.surprises.append("\(glyph.name) \(seed)")
                }
            }
        }
        return outcome
    }

    /// - Returns: Whether every hand fared as it should.
    func report(to console: Console) throws -> Bool {
        console.write("\n\(tracesOfALetter) simulated traces of each of \(glyphs.count) letters, in percent\n")
        console.write(
            ["hand", "mode", "complete", "accepted", "all on path"].map { $0.padded(to: 14) }.joined() + "\n")
        var isFine = true
        for kind in SimulatedHand.Kind.allCases {
            for mode in TraceSettings.Mode.allCases {
                let outcome = try outcome(of: kind, mode: mode)
                let shares = [outcome.complete, outcome.accepted, outcome.clean].map {
                    "\((Double($0) * 1000 / Double(max(outcome.traces, 1))).rounded(.down) / 10)"
                }
                console.write(
                    ([kind.rawValue, mode.rawValue] + shares).map { $0.padded(to: 14) }.joined()
                        + outcome.surprises.prefix(5).joined(separator: ", ") + "\n")
                if !outcome.surprises.isEmpty { isFine = false }
            }
        }
        return isFine
    }
}
