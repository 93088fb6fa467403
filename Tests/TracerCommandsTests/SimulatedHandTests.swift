import TestSupport
import Testing
import Tracer

@testable import TracerCommands

/// A sample of what `tracer-demo bench --only hands` does with a thousand traces a letter.
@Suite struct SimulatedHandTests {
    private static let bench = HandBench(
        tracesOfALetter: 1, glyphs: Alphabet.all.indices.filter { $0 % 3 == 0 }.map { Alphabet.all[$0] })

    @Test(arguments: [SimulatedHand.Kind.steady, .shaky, .jittered], TraceSettings.Mode.allCases)
    func correctTracesCompleteAndAreAccepted(kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws {
        let outcome = try Self.bench.outcome(of: kind, mode: mode)
        #expect(outcome.traces == 21 && outcome.complete == 21, "\(outcome.surprises)")
        #expect(Double(outcome.accepted) >= 0.95 * 21)
    }

    @Test(arguments: [SimulatedHand.Kind.zigzag, .shifted], TraceSettings.Mode.allCases)
    func zigzagsAndShiftedStrokesAreRejected(kind: SimulatedHand.Kind, mode: TraceSettings.Mode) throws {
        let outcome = try Self.bench.outcome(of: kind, mode: mode)
        #expect(outcome.complete == 0 && outcome.accepted == 0, "\(outcome.surprises)")
    }

    /// Its stem is drawn twice, so that of all letters it takes the least line for its length to fill it in.
    @Test func aZigzagThroughTheDIsRejected() throws {
        let bench = HandBench(tracesOfALetter: 8, glyphs: Alphabet.all.filter { $0.name == "d" })
        let outcome = try bench.outcome(of: .zigzag, mode: .free)
        #expect(outcome.complete == 0 && outcome.accepted == 0, "\(outcome.surprises)")
    }

    @Test func whoWandersOffIsSeen() throws {
        let outcome = try Self.bench.outcome(of: .wandering, mode: .free)
        // Dots have no length to wander from.
        #expect(outcome.clean <= 1 && outcome.accepted < 16)
    }
}
