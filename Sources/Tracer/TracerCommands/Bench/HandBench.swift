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
        /// The most points of a refused trace, and the least of an accepted one.
        var points = (refused: 0, accepted: 100)
        /// The letters and seeds of correct hands that are refused, and of wrong hands that are accepted.
        var mismatches: [String] = []
        /// A Boolean value that indicates whether at most one in a thousand verdicts is not as expected. A gap at a random
        /// place with random noise may still be a letter.
        var isFine: Bool { mismatches.count * 1000 <= traces }
    }

    let tracesOfALetter: Int
    var glyphs = Alphabet.all
    var leniency = 0.5

    func outcome(of kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws -> Outcome {
        var outcome = Outcome()
        for target in try targets(mode) {
            for seed in 0..<tracesOfALetter {
                var hand = SimulatedHand(kind, seed: UInt64(seed))
                guard hand.differs(on: target.target) else { break }
                let strokes = hand.strokes(along: target.target)
                let isRight =
                    switch kind {
                    // A wandering hand may come back to the letter. Direction and order don't count in free mode.
                    case .wandering: nil as Bool?
                    case .reversed, .swapped: mode == .ordered ? false : nil
                    default: kind.isCorrect
                    }
                outcome.add(strokes, on: target, name: "\(target.glyph.name) \(seed)", isRight: isRight)
            }
        }
        return outcome
    }

    /// Returns the counts for letters that are drawn on other ones, which are chosen at random.
    func outcomeOfOtherLetters(mode: TraceSettings.Mode) throws -> Outcome {
        var outcome = Outcome()
        let targets = try targets(mode)
        for target in targets {
            var random = SeededRandom(seed: UInt64(outcome.traces))
            for seed in 0..<tracesOfALetter {
                guard let other = targets.randomElement(using: &random), other.glyph.name != target.glyph.name else {
                    continue
                }
                var hand = SimulatedHand(.jittered, seed: UInt64(seed))
                outcome.add(
                    hand.strokes(along: other.target), on: target, name: "\(other.glyph.name) on \(target.glyph.name)",
                    isRight: false)
            }
        }
        return outcome
    }

    private typealias Letter = (glyph: Glyph, target: TraceTarget)

    private func targets(_ mode: TraceSettings.Mode) throws -> [Letter] {
        let settings = TraceSettings(mode: mode, leniency: leniency)
        return try glyphs.map { ($0, try makeTarget($0, size: LetterArguments.size, settings: settings)) }
    }

    /// Resizes the view of a tenth of the traces. Returns the number of resized traces, and the letters and seeds of those
    /// whose verdict changes.
    func resized(_ kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws -> (traces: Int, mismatches: [String]) {
        var (traces, mismatches): (Int, [String]) = (0, [])
        for glyph in glyphs {
            for seed in stride(from: 0, to: tracesOfALetter, by: 10) {
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

    /// Prints a table. Returns `true` if nearly all verdicts of each hand are as expected, and no refused trace has the
    /// points of an accepted one.
    func report(to console: Console) throws -> Bool {
        console.write("\n\(tracesOfALetter) simulated traces of each of \(glyphs.count) letters, in percent\n")
        console.write(Self.row(["hand", "mode", "traces", "complete", "accepted", "all on path", "backwards"]))
        var isFine = true
        var points = (refused: 0, accepted: 100)
        let kinds: [SimulatedHand.Kind?] = SimulatedHand.Kind.allCases + [nil]
        for kind in kinds {
            for mode in TraceSettings.Mode.allCases {
                let outcome = try kind.map { try self.outcome(of: $0, mode: mode) } ?? outcomeOfOtherLetters(mode: mode)
                let cells = [kind?.rawValue ?? "other letter", mode.rawValue, "\(outcome.traces)"] + outcome.shares
                console.write(Self.row(cells, outcome.mismatches.prefix(5).joined(separator: ", ")))
                if !outcome.isFine { isFine = false }
                points.refused = max(points.refused, outcome.points.refused)
                points.accepted = min(points.accepted, outcome.points.accepted)
            }
        }
        console.write(
            "refused traces have at most \(points.refused) points, accepted ones at least \(points.accepted)\n")
        return try reportResized(to: console) && isFine && points.refused < points.accepted
    }

    private static func row(_ cells: [String], _ end: String = "") -> String {
        cells.map { $0.padded(to: 14) }.joined() + end + "\n"
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

extension HandBench.Outcome {
    /// The counts in percent of the traces.
    fileprivate var shares: [String] {
        [complete, accepted, clean, backwards].map { count in
            let share = Double(count) / Double(max(traces, 1))
            return "\((share * 1000).rounded(.down) / 10)"
        }
    }

    /// Judges a trace.
    ///
    /// - Parameters:
    ///   - name: The name for the list of mismatches.
    ///   - isRight: The expected verdict, or `nil` if both verdicts are fine.
    fileprivate mutating func add(
        _ strokes: [Recording.Stroke], on letter: (glyph: Glyph, target: TraceTarget), name: String, isRight: Bool?
    ) {
        var session = TraceSession(target: letter.target)
        session.replay(strokes)
        let score = TraceScore(session)
        traces += 1
        if session.isComplete { complete += 1 }
        if score.isAccepted {
            accepted += 1
            points.accepted = min(points.accepted, score.points)
        } else {
            points.refused = max(points.refused, score.points)
        }
        if score.isBackwards(on: letter.target) { backwards += 1 }
        if session.lines.allSatisfy({ $0.verdict == .onPath }) { clean += 1 }
        if let isRight, score.isAccepted != isRight { mismatches.append(name) }
    }
}

extension TraceScore {
    /// Returns a Boolean value that indicates whether each stroke that has a direction is called backwards, except for
    /// those that a permitted order reverses.
    fileprivate func isBackwards(on target: TraceTarget) -> Bool {
        let orders = target.orders.filter { $0.steps.allSatisfy { !$0.isJoined && $0.part == 0...1 } }
        let reversed = orders.flatMap(\.steps).filter(\.isReversed).map(\.path)
        return target.paths.indices.allSatisfy { path in
            target.paths[path].length == 0 || reversed.contains(path) || reasons.contains(.backwards(path: path))
        }
    }
}
