import Text
import Tracer

/// A benchmark of the verdicts on simulated hands: correct traces must be accepted, wrong ones rejected.
struct HandBench {
    /// The counts for traces of all letters.
    struct Outcome {
        var traces = 0
        var complete = 0
        var accepted = 0
        var clean = 0
        /// The traces in which every stroke is called backwards.
        var backwards = 0
        /// The letters and seeds of correct hands that didn't complete the letter, and of wrong hands that did.
        var mismatches: [String] = []
    }

    let tracesOfALetter: Int
    var glyphs = Alphabet.all
    var leniency = 0.5

    func outcome(of kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws -> Outcome {
        var outcome = Outcome()
        let size = LetterArguments.size
        for glyph in glyphs {
            let target = try makeTarget(glyph, size: size, settings: TraceSettings(mode: mode, leniency: leniency))
            for seed in 0..<tracesOfALetter {
                var hand = SimulatedHand(kind, seed: UInt64(seed))
                guard hand.differs(on: target) else { break }
                var session = TraceSession(target: target)
                session.replay(hand.recording(of: target, letter: glyph.name, size: size).strokes)
                outcome.traces += 1
                if session.isComplete { outcome.complete += 1 }
                let score = TraceScore(session)
                if score.isAccepted { outcome.accepted += 1 }
                if isBackwards(score, target) { outcome.backwards += 1 }
                if session.lines.allSatisfy({ $0.verdict == .onPath }) { outcome.clean += 1 }
                if isMismatch(session, score, kind) {
                    outcome.mismatches.append("\(glyph.name) \(seed)")
                }
            }
        }
        return outcome
    }

    /// Returns the number of traces, and the letters and seeds of those whose verdict changes when the view is resized.
    func resized(_ kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws -> (traces: Int, mismatches: [String]) {
        var (traces, mismatches): (Int, [String]) = (0, [])
        for glyph in glyphs {
            for seed in 0..<tracesOfALetter {
                var surface = TraceSurface(
                    glyph: glyph, settings: TraceSettings(mode: mode), size: LetterArguments.size)
                guard let target = surface.session?.target else { continue }
                var hand = SimulatedHand(kind, seed: UInt64(seed))
                let recording = hand.recording(of: target, letter: glyph.name, size: surface.size)
                surface.withSession { $0.replay(recording.strokes) }
                let before = surface.session
                for size in [TraceSize(768, 1024), TraceSize(40, 50), TraceSize(4000, 4000)] {
                    surface.resize(to: size)
                    traces += 1
                    if !Self.isSame(before, surface.session) { mismatches.append("\(glyph.name) \(seed)") }
                }
            }
        }
        return (traces, mismatches)
    }

    private static func isSame(_ one: TraceSession?, _ other: TraceSession?) -> Bool {
        guard let one, let other else { return false }
        let (score, after) = (TraceScore(one), TraceScore(other))
        return one.isComplete == other.isComplete && one.lines.map(\.verdict) == other.lines.map(\.verdict)
            && score.isAccepted == after.isAccepted && score.points == after.points
            && score.reasons.map(\.description) == after.reasons.map(\.description)
    }

    /// Returns a Boolean value that indicates whether each stroke that has a direction is called backwards, except for
    /// those that a permitted order reverses.
    private func isBackwards(_ score: TraceScore, _ target: TraceTarget) -> Bool {
        let orders = target.orders.filter { $0.steps.allSatisfy { !$0.isJoined && $0.part == 0...1 } }
        let reversed = orders.flatMap(\.steps).filter(\.isReversed).map(\.path)
        return target.paths.indices.allSatisfy { path in
            target.paths[path].length == 0 || reversed.contains(path) || score.reasons.contains(.backwards(path: path))
        }
    }

    private func isMismatch(_ session: TraceSession, _ score: TraceScore, _ kind: SimulatedHand.Kind) -> Bool {
        switch kind {
        // A wandering hand may come back and complete the letter, with red lines off the guide.
        case .wandering: false
        // Direction and order don't count in free mode.
        case .reversed, .swapped: session.target.settings.mode == .ordered && score.isAccepted
        case .omitted, .closed, .tapped, .scribbled, .gapped, .marked, .hatched, .coloredIn: score.isAccepted
        default: session.isComplete != kind.isCorrect
        }
    }

    /// Prints a table. Returns `true` if all verdicts are as expected.
    func report(to console: Console) throws -> Bool {
        console.write("\n\(tracesOfALetter) simulated traces of each of \(glyphs.count) letters, in percent\n")
        console.write(
            ["hand", "mode", "complete", "accepted", "all on path", "backwards"].map { $0.padded(to: 14) }.joined()
                + "\n")
        var isFine = true
        for kind in SimulatedHand.Kind.allCases {
            for mode in TraceSettings.Mode.allCases {
                let outcome = try outcome(of: kind, mode: mode)
                let shares = [outcome.complete, outcome.accepted, outcome.clean, outcome.backwards].map {
                    "\((Double($0) * 1000 / Double(max(outcome.traces, 1))).rounded(.down) / 10)"
                }
                console.write(
                    ([kind.rawValue, mode.rawValue] + shares).map { $0.padded(to: 14) }.joined()
                        + outcome.mismatches.prefix(5).joined(separator: ", ") + "\n")
                if !outcome.mismatches.isEmpty { isFine = false }
            }
        }
        return try reportResized(to: console) && isFine
    }

    /// Prints the number of resized traces with another verdict. Returns `true` if there are none.
    private func reportResized(to console: Console) throws -> Bool {
        var isFine = true
        for mode in TraceSettings.Mode.allCases {
            for kind in [SimulatedHand.Kind.jittered, .wandering] {
                let (traces, mismatches) = try resized(kind, mode: mode)
                console.write(
                    "resized to 40, 768 and 4000 units, \(kind.rawValue), \(mode.rawValue): \(mismatches.count) of "
                        + "\(traces) have another verdict\(mismatches.isEmpty ? "" : ", " + mismatches[0])\n")
                if !mismatches.isEmpty { isFine = false }
            }
        }
        return isFine
    }
}
