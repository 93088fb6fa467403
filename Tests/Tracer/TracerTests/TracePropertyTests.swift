import TestSupport
import Testing
import Tracer

@Suite struct TracePropertyTests {
    private struct Outcome: Equatable, CustomStringConvertible {
        let verdicts: [TracedLine.Verdict]
        let completion: Double
        var description: String { "\(verdicts.map(\.rawValue)) \(completion)" }

        init(_ session: TraceSession) {
            verdicts = session.lines.map(\.verdict)
            completion = (session.completion * 1e6).rounded() / 1e6
        }
    }

    /// Returns a Boolean value that indicates whether a rounding error could change a verdict.
    private func isBorderline(_ strokes: [[TracePoint]], _ paths: [TracePath], detour: Double? = 2.5) throws -> Bool {
        let outcomes = try [-1e-9, 1e-9].map { change in
            let detour = detour.map { max(1, $0 + 1000 * change) }
            let target = try TraceTarget(paths, threshold: 20 * (1 + change), detour: detour)
            return Outcome(.drawing(strokes, on: target))
        }
        return outcomes[0] != outcomes[1]
    }

    /// Compares the verdicts of a trace with those after a change of paths and strokes.
    private func checkInvariance(
        _ name: String, _ modes: [TraceSettings.Mode] = [.free, .ordered],
        _ change:
            @escaping ([TracePath], [[TracePoint]], Double) -> (
                paths: [TracePath], strokes: [[TracePoint]], threshold: Double
            )
    ) {
        let generator = zip(.paths, .strokes, Generator<Double>.real(in: -3...3), .element(of: modes))
        checkProperty(name, generator, cases: 80) { paths, strokes, amount, mode in
            if try isBorderline(strokes, paths) { throw Discard() }
            let changed = change(paths, strokes, amount)
            let before = TraceSession.drawing(strokes, on: try TraceTarget(paths, mode: mode))
            let target = try TraceTarget(changed.paths, threshold: changed.threshold, mode: mode)
            return try expectEqual(Outcome(.drawing(changed.strokes, on: target)), Outcome(before))
        }
    }

    private func transformed(_ paths: [TracePath], _ strokes: [[TracePoint]], _ transform: TraceTransform) -> (
        [TracePath], [[TracePoint]]
    ) {
        (paths.map { $0.transformed(by: transform) }, strokes.map { $0.map(transform.apply) })
    }

    @Test func movingEverythingChangesNothing() {
        checkInvariance("translation") { paths, strokes, amount in
            let (paths, strokes) = transformed(paths, strokes, .translation(TracePoint(512 * amount.rounded(), -1024)))
            return (paths, strokes, 20)
        }
    }

    @Test func rotatingEverythingChangesNothing() {
        checkInvariance("rotation") { paths, strokes, amount in
            let (paths, strokes) = transformed(paths, strokes, .rotation(radians: amount))
            return (paths, strokes, 20)
        }
    }

    @Test func scalingEverythingChangesNothing() {
        checkInvariance("uniform scale") { paths, strokes, amount in
            let factor = 3.5 + amount
            let (paths, strokes) = transformed(paths, strokes, .scale(factor))
            return (paths, strokes, 20 * factor)
        }
    }

    @Test func reversedPathsChangeNothingInFreeMode() {
        checkInvariance("path reversal", [.free]) { paths, strokes, _ in (paths.map { $0.reversed() }, strokes, 20) }
    }

    @Test func splittingAMoveChangesNeitherCompletionNorVerdict() {
        let generator = zip(
            .paths, .strokes, Generator<Int>.integer(in: 2...7), Generator<Double?>.element(of: [1, 1.2, 2.5, nil]))
        checkProperty("splitting of moves", generator, cases: 120) { paths, strokes, parts, detour in
            if try isBorderline(strokes, paths, detour: detour) { throw Discard() }
            let target = try TraceTarget(paths, detour: detour)
            let split = strokes.map { stroke in
                Array(stroke.prefix(1))
                    + zip(stroke, stroke.dropFirst()).flatMap { start, end in
                        (1...parts).map { start.interpolated(to: end, Double($0) / Double(parts)) }
                    }
            }
            let whole = TraceSession.drawing(strokes, on: target)
            let pieces = TraceSession.drawing(split, on: target)
            return try expectEqual(abs(pieces.completion - whole.completion) < 1e-6, true, "equal completion")
                && expectEqual(
                    pieces.lines.contains { $0.verdict == .offPath }, whole.lines.contains { $0.verdict == .offPath })
        }
    }

    /// A line to and fro along a path with tips, in long moves, so that a move often covers a path before it comes near a tip.
    @Test func splittingAMoveDoesNotDecideBetweenCompleteAndScribbled() {
        let place = zip(Generator<Double>.real(in: 0...1), .real(in: -19...19))
        let generator = zip(
            Generator<TracePoint>.point.array(count: 3...4), place.array(count: 1...8),
            Generator<Double>.real(in: 1...1.6), .integer(in: 2...7))
        var outcomes: Set<Bool> = []
        checkProperty("splitting of moves to and fro", generator, cases: 400) { corners, places, detour, parts in
            let path = TracePath(points: corners)
            let walk = places.compactMap { place, across in
                path.point(at: place * path.length).map { TracePoint($0.x + across, $0.y) }
            }
            let strokes = [walk + corners]
            if try isBorderline(strokes, [path], detour: detour) { throw Discard() }
            let target = try TraceTarget([path], detour: detour)
            let split = zip(strokes[0], strokes[0].dropFirst()).flatMap { start, end in
                (0...parts).map { start.interpolated(to: end, Double($0) / Double(parts)) }
            }
            let (whole, pieces) = (TraceSession.drawing(strokes, on: target), TraceSession.drawing([split], on: target))
            outcomes.insert(whole.isComplete)
            return try expectEqual(pieces.isComplete, whole.isComplete)
        }
        #expect(outcomes.count == 2)
    }

    @Test(arguments: TraceSettings.Mode.allCases) func completionNeverDecreases(mode: TraceSettings.Mode) {
        checkProperty("monotone completion", zip(.paths, .strokes)) { paths, strokes in
            var session = TraceSession(target: try TraceTarget(paths, mode: mode))
            var last = 0.0
            for point in strokes.joined() {
                session.begin(at: point)
                session.move(to: TracePoint(point.x + 30, point.y))
                guard session.completion >= last, session.completion <= 1 else { return false }
                last = session.completion
            }
            return session.isComplete == (session.completion == 1)
        }
    }

    @Test(arguments: TraceSettings.Mode.allCases) func undoAfterAStrokeIsAsIfItWereNeverDrawn(mode: TraceSettings.Mode)
    {
        let generator = zip(.paths, .strokes, Generator<TracePoint>.point.array(count: 1...6))
        checkProperty("undo after apply", generator) { paths, strokes, extra in
            let before = TraceSession.drawing(strokes, on: try TraceTarget(paths, mode: mode))
            var after = before
            after.draw(extra)
            after.undo()
            return after.lines == before.lines && after.completion == before.completion
                && after.pathCoverage == before.pathCoverage && after.strokes == before.strokes
        }
    }

    @Test func replayingARecordingGivesTheSameSession() {
        checkProperty("replay(record(x)) = x", zip(.paths, .strokes)) { paths, strokes in
            let target = try TraceTarget(paths)
            let session = TraceSession.drawing(strokes, on: target)
            var again = TraceSession(target: target)
            again.replay(session.recording(size: TraceSize(300, 400)).strokes)
            return again.lines == session.lines && again.strokes == session.strokes
        }
    }

    /// Touches that overlap in time are replayed in their order.
    @Test(arguments: TraceSettings.Mode.allCases) func replayingSimultaneousTouchesGivesTheSameSession(
        mode: TraceSettings.Mode
    ) {
        let touch = zip(.point, Generator<Int>.integer(in: 0...4), Generator<Int>.integer(in: 0...2))
        checkProperty("replay(record(x)) = x with touches", zip(.paths, touch.array(count: 0...40))) { paths, touches in
            let target = try TraceTarget(paths, mode: mode)
            var session = TraceSession(target: target)
            for (number, (point, action, id)) in touches.enumerated() {
                switch action {
                case 0: session.begin(at: point, time: Double(number + 1), touch: id)
                case 4: session.end(touch: id)
                default: session.move(to: point, time: Double(number + 1), touch: id)
                }
            }
            var again = TraceSession(target: target)
            again.replay(session.recording(size: TraceSize(300, 400)).strokes)
            return again.lines == session.lines && again.strokes == session.strokes
                && again.completion == session.completion
        }
    }

    @Test func noTouchTraps() {
        let touch = zip(.anyPoint, Generator<Int>.integer(in: 0...6), Generator<Int>.integer(in: 0...2))
        let generator = zip(.paths, touch.array(), .element(of: TraceSettings.Mode.allCases))
        checkProperty("no touch traps", generator, cases: 400) { paths, touches, mode in
            var session = TraceSession(target: try TraceTarget(paths, mode: mode))
            for (point, action, id) in touches {
                switch action {
                case 0: session.begin(at: point, time: point.y, touch: id)
                case 1, 2: session.move(to: point, time: point.x, touch: id)
                case 3: session.end(touch: id)
                case 4: session.undo()
                // May move the strokes out of the usable range.
                case 5: session.retarget(to: session.target, moving: .scale(point.x))
                default: session.cancel(touch: id)
                }
            }
            session.replay(session.strokes)
            return (0...1).contains(session.completion)
        }
    }
}
