import TestSupport
import Testing
import Tracer

@Suite struct OrderedModeTests {
    private func session(_ letter: String, _ orders: [StrokeOrder] = []) throws -> TraceSession {
        let glyph = try #require(Alphabet.glyph(letter))
        let target = try glyph.target(in: TraceSize(320, 400), settings: TraceSettings(mode: .ordered))
        return TraceSession(target: target)
    }

    private func walks(_ session: TraceSession, step: Double = 7) -> [[TracePoint]] {
        session.target.paths.map { $0.walked(step: step) }
    }

    @Test(arguments: Alphabet.all.map(\.name)) func aGlyphDrawnCorrectlyIsComplete(letter: String) throws {
        for step in [3.0, 17] {
            var session = try session(letter)
            for walk in walks(session, step: step) { session.draw(walk) }
            #expect(session.isComplete, "step \(step), \(session.completion)")
            #expect(session.lines.allSatisfy { $0.verdict == .onPath }, "step \(step)")
        }
    }

    @Test func theWrongDirectionIsOutOfOrder() throws {
        var session = try session("L")
        session.draw(walks(session)[0].reversed())
        #expect(!session.isComplete)
        #expect(session.lines.first?.verdict == .outOfOrder)
        #expect(session.completion < 0.2)
        #expect(session.lines.first.map { session.color(of: $0) } == .amber)
    }

    @Test func theSecondStrokeFirstIsOutOfOrderUnlessAnOrderPermitsIt() throws {
        var wrong = try session("K")
        for walk in walks(wrong).reversed() { wrong.draw(walk) }
        #expect(!wrong.isComplete)
        #expect(wrong.lines.contains { $0.verdict == .outOfOrder })
        var permitted = try session("T")
        for walk in walks(permitted).reversed() { permitted.draw(walk) }
        #expect(permitted.isComplete)
        #expect(permitted.lines.allSatisfy { $0.verdict == .onPath })
    }

    @Test func aReversedStepExpectsThePathFromItsEnd() throws {
        let path = TracePath(points: [TracePoint(50, 50), TracePoint(250, 50), TracePoint(250, 350)])
        let settings = TraceSettings(mode: .ordered)
        let backwards = StrokeOrder([StrokeOrder.Step(path: 0, isReversed: true)])
        var session = TraceSession(target: try TraceTarget(paths: [path], settings: settings, orders: [backwards]))
        #expect(session.expectedPoint == TracePoint(250, 350))
        session.draw(path.reversed().walked(step: 9))
        #expect(session.isComplete)
        #expect(session.lines.allSatisfy { $0.verdict == .onPath })
    }

    @Test func aShortcutAcrossALoopMakesNoProgress() throws {
        var session = try session("O")
        let walk = walks(session)[0]
        session.draw([walk[0], walk[walk.count / 2], walk[walk.count - 1]])
        #expect(session.completion < 0.3)
        #expect(session.expectedPoint != nil)
    }

    @Test func theExpectedPointMovesAlong() throws {
        var session = try session("l")
        let walk = walks(session)[0]
        var last = -1.0
        session.begin(at: walk[0])
        for point in walk.dropFirst() {
            session.move(to: point)
            guard let expected = session.expectedPoint else { break }
            #expect(expected.y > last)
            last = expected.y
        }
        #expect(session.expectedStep == nil && session.isComplete)
    }

    /// The frontier follows the pen through time, so splitting a move must not change it.
    @Test func splittingAMoveAdvancesJustAsFar() {
        let generator = zip(.paths, .strokes, Generator<Int>.integer(in: 2...7))
        checkProperty("splitting in ordered mode", generator, cases: 120) { paths, strokes, parts in
            let target = try TraceTarget(paths, mode: .ordered)
            let split = strokes.map { stroke in
                Array(stroke.prefix(1))
                    + zip(stroke, stroke.dropFirst()).flatMap { start, end in
                        (1...parts).map { start.interpolated(to: end, Double($0) / Double(parts)) }
                    }
            }
            let edge = [20 * (1 - 1e-9), 20 * (1 + 1e-9)].map { threshold in
                (try? TraceTarget(paths, threshold: threshold, mode: .ordered)).map {
                    TraceSession.drawing(strokes, on: $0).completion
                }
            }
            if let low = edge[0], let high = edge[1], abs(low - high) > 1e-6 { throw Discard() }
            let whole = TraceSession.drawing(strokes, on: target)
            let pieces = TraceSession.drawing(split, on: target)
            guard abs(whole.completion - pieces.completion) < 1e-6 else {
                throw Mismatch(description: "whole \(whole.completion), in \(parts) parts \(pieces.completion)")
            }
            return true
        }
    }

    /// An E may also be drawn as an L and bars, but a learner who lifts the pen after the stem begins the bar on top.
    @Test(arguments: ["E", "D", "R", "M", "5"]) func afterAStrokeTheNextOneIsExpected(letter: String) throws {
        var session = try session(letter)
        for (index, walk) in walks(session).enumerated() {
            #expect(session.expectedStep?.path == index)
            #expect(session.expectedPoint == session.target.paths[index].points[0])
            session.draw(walk)
        }
        #expect(session.isComplete && session.expectedStep == nil)
    }

    /// An A may also begin at its foot, or with the bar.
    @Test(arguments: [0.2, 0.5, 0.8]) func aStrokeThatHasBegunBindsToNoWay(share: Double) throws {
        var session = try session("A")
        let legs = walks(session)
        let up = Array(legs[0].reversed())
        session.draw(Array(up[..<Int(share * Double(up.count))]))
        #expect(session.drawnPartOfStroke.count > 1 && session.drawnPartOfStroke.last == session.expectedPoint)
        for walk in legs { session.draw(walk) }
        #expect(session.lines.allSatisfy { $0.verdict == .onPath } && session.isComplete)
        #expect(session.drawnPartOfStroke.isEmpty)
        #expect(TraceScore(session).isAccepted)
    }

    /// The stroke that is expected may not be drawn from its end, even if it has begun.
    @Test(arguments: ["L", "S", "B"]) func aStrokeThatHasBegunGoesOn(letter: String) throws {
        var session = try session(letter)
        let walk = walks(session)[0]
        session.draw(Array(walk[...(walk.count / 2)]))
        session.draw(walk[(walk.count / 2 + 8)...].reversed())
        #expect(session.lines.last?.verdict == .outOfOrder)
        session.undo()
        session.draw(Array(walk[(walk.count / 2)...]))
        #expect(session.lines.allSatisfy { $0.verdict == .onPath })
    }

    @Test func anArrowPointsAlongThePath() throws {
        var session = try session("T")
        #expect(session.expectedDirection == TracePoint(0, 1))
        session.draw(walks(session)[0])
        #expect(session.expectedDirection == TracePoint(1, 0))
        session.draw(walks(session)[1])
        #expect(session.expectedDirection == nil)
        var dotted = try self.session("i")
        dotted.draw(walks(dotted)[0])
        #expect(dotted.expectedPoint != nil && dotted.expectedDirection == nil)
        let reversed = StrokeOrder([StrokeOrder.Step(path: 0, isReversed: true)])
        let target = try TraceTarget(
            paths: [TracePath(points: [TracePoint(0, 0), TracePoint(30, 0), TracePoint(30, 0)])],
            settings: TraceSettings(mode: .ordered),
            orders: [reversed])
        #expect(TraceSession(target: target).expectedDirection == TracePoint(-1, 0))
    }
}
