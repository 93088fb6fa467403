import TestSupport
import Testing
import Tracer

@testable import TracerCommands

/// A smaller sample of the traces of `tracer-demo bench --only hands`, which draws 1,000 for each letter.
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
        arguments: [SimulatedHand.Kind.omitted, .closed, .tapped, .scribbled, .coloredIn], TraceSettings.Mode.allCases)
    func wrongTracesAreRejected(kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws {
        let outcome = try Self.bench.outcome(of: kind, mode: mode)
        #expect(outcome.traces >= 3 && outcome.accepted == 0, "\(outcome.mismatches)")
        if kind == .tapped { #expect(outcome.complete == 0) }
    }

    /// `TeacherTests` draws the like of these hands on more letters.
    @Test(arguments: TraceSettings.Mode.allCases) func dotsAndGapsAndRestsAreJudged(mode: TraceSettings.Mode) throws {
        let bench = HandBench(tracesOfALetter: 1, glyphs: Alphabet.all.filter { ["R", "b", "5"].contains($0.name) })
        for kind in [SimulatedHand.Kind.dotted, .gapped, .hatched, .marked, .lifted, .permitted, .resting] {
            let outcome = try bench.outcome(of: kind, mode: mode)
            #expect(outcome.traces > 0 && outcome.accepted == (kind.isCorrect ? outcome.traces : 0), "\(kind)")
        }
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
