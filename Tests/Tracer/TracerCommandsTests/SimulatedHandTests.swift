import TestSupport
import Testing
import Tracer

@testable import TracerCommands

/// A smaller sample of the traces of `tracer-demo bench --only hands --traces 200`.
@Suite struct SimulatedHandTests {
    private static let bench = HandBench(
        tracesOfALetter: 1, glyphs: Alphabet.all.indices.filter { $0 % 6 == 0 }.map { Alphabet.all[$0] })

    @Test(arguments: [SimulatedHand.Kind.steady, .shaky, .jittered], TraceSettings.Mode.allCases)
    func correctTracesCompleteAndAreAccepted(kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws {
        let outcome = try Self.bench.outcome(of: kind, mode: mode)
        #expect(outcome.traces == 11 && outcome.complete == 11, "\(outcome.mismatches)")
        #expect(Double(outcome.accepted) >= 0.95 * 11)
    }

    @Test(arguments: [SimulatedHand.Kind.zigzag, .shifted], TraceSettings.Mode.allCases)
    func zigzagsAndShiftedStrokesAreRejected(kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws {
        let outcome = try Self.bench.outcome(of: kind, mode: mode)
        #expect(outcome.complete == 0 && outcome.accepted == 0, "\(outcome.mismatches)")
    }

    @Test func reversedStrokesAreCalledBackwards() throws {
        let outcome = try Self.bench.outcome(of: .reversed, mode: .free)
        #expect(outcome.traces > 10 && outcome.backwards == outcome.traces, "\(outcome.backwards) of \(outcome.traces)")
        let ordered = try Self.bench.outcome(of: .reversed, mode: .ordered)
        #expect(ordered.accepted == 0, "\(ordered.mismatches)")
        let correct = try Self.bench.outcome(of: .jittered, mode: .free)
        #expect(correct.backwards == 0)
    }

    @Test(
        arguments: [SimulatedHand.Kind.omitted, .closed, .tapped, .scribbled, .coloredIn, .snaking],
        TraceSettings.Mode.allCases)
    func wrongTracesAreRejected(kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws {
        let outcome = try Self.bench.outcome(of: kind, mode: mode)
        #expect(outcome.traces >= 3 && outcome.accepted == 0, "\(outcome.mismatches)")
        if kind == .tapped { #expect(outcome.complete == 0) }
    }

    /// `TeacherTests` draws the like of these hands on more letters.
    @Test(arguments: TraceSettings.Mode.allCases) func dotsAndGapsAndRestsAreJudged(mode: TraceSettings.Mode) throws {
        let bench = HandBench(tracesOfALetter: 1, glyphs: Alphabet.all.filter { ["R", "b", "5"].contains($0.name) })
        let kinds: [SimulatedHand.Kind] = [
            .dotted, .dashed, .gapped, .hatched, .marked, .lifted, .permitted, .interrupted, .resting,
        ]
        for kind in kinds {
            let outcome = try bench.outcome(of: kind, mode: mode)
            #expect(outcome.traces > 0 && outcome.accepted == (kind.isCorrect ? outcome.traces : 0), "\(kind)")
        }
    }

    @Test(arguments: TraceSettings.Mode.allCases) func otherLettersAreRejected(mode: TraceSettings.Mode) throws {
        let outcome = try HandBench(tracesOfALetter: 1).outcomeOfOtherLetters(mode: mode)
        #expect(outcome.traces > 55 && outcome.accepted == 0, "\(outcome.mismatches)")
    }

    @Test func theRatesOfAGlyphSetArePrinted() throws {
        let directory = try TemporaryDirectory()
        try directory.write("<svg><path d=\"M20 20h80\"/><path d=\"M60 20v80\"/></svg>", to: "T.svg")
        try directory.write("{\"medians\": [[[100, 800], [100, 0], [900, 0]]]}", to: "L.json")
        try directory.write("no characters", to: "README")
        let result = demo("bench", "--only", "hands", "--traces", "1", "--glyphs", directory.path)
        #expect(result.status == 0 && result.output.contains("\n1 simulated traces of each of 2 letters"))
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.contains(["jittered", "ordered", "2", "100.0", "100.0", "100.0", "0.0"]), "\(result.output)")
        #expect(rows.contains { $0.prefix(5) == ["dashed", "ordered", "2", "0.0", "0.0"] }, "\(result.output)")
        #expect(result.output.contains("\nrefused traces have at most 59 points, accepted ones at least "))
    }

    @Test func swappedStrokesAreRejectedInOrderedMode() throws {
        let bench = HandBench(tracesOfALetter: 1)
        let ordered = try bench.outcome(of: .swapped, mode: .ordered)
        #expect(ordered.traces == 62 && ordered.accepted == 0, "\(ordered.mismatches)")
        let free = try bench.outcome(of: .swapped, mode: .free)
        #expect(free.complete == 62)
    }

    @Test(arguments: TraceSettings.Mode.allCases) func resizedTracesHaveTheSameVerdicts(mode: TraceSettings.Mode) throws
    {
        let (traces, mismatches) = try Self.bench.resized(.wandering, mode: mode)
        #expect(traces == 33 && mismatches.isEmpty, "\(mismatches)")
    }

    /// The stem of the d is drawn twice, so a zigzag through it needs the least line for its length of all letters.
    @Test func aZigzagThroughTheDIsRejected() throws {
        let bench = HandBench(tracesOfALetter: 8, glyphs: Alphabet.all.filter { $0.name == "d" })
        let outcome = try bench.outcome(of: .zigzag, mode: .free)
        #expect(outcome.complete == 0 && outcome.accepted == 0, "\(outcome.mismatches)")
    }

    @Test func wanderingHandsAreDetected() throws {
        let outcome = try Self.bench.outcome(of: .wandering, mode: .free)
        // A dot has no length on which to leave the guide.
        #expect(outcome.clean <= 1 && outcome.accepted < 8)
    }
}
