import TestSupport
import Testing
import Tracer

@Suite struct ScribbleTests {
    /// A stem with a length of 800, or 40 thresholds.
    private let stem = TracePath(points: [TracePoint(500, 100), TracePoint(500, 900)])

    private func zigzag(_ amplitude: Double, advance: Double) -> [TracePoint] {
        (0...Int(800 / advance)).map {
            TracePoint(500 + ($0.isMultiple(of: 2) ? amplitude : -amplitude), 100 + Double($0) * advance)
        }
    }

    @Test(arguments: TraceSettings.Mode.allCases) func aZigzagCoversButDoesNotComplete(mode: TraceSettings.Mode) throws
    {
        var session = TraceSession(target: try TraceTarget([stem], threshold: 100, mode: mode))
        session.draw(zigzag(100, advance: 40))
        #expect(session.lines.allSatisfy { $0.verdict != .offPath })
        #expect(!session.isComplete && session.completion < 1)
        #expect(session.pathCoverage[0] > 0.97)
        #expect(session.scribbledPaths == [0])
        #expect(TraceScore(session).reasons.contains(.zigzag(path: 0)))
        #expect(!TraceScore(session).isAccepted && TraceScore(session).points < 40)
        // Another line doesn't complete it, but after undo a correct line does.
        session.draw(stem.points)
        #expect(!session.isComplete)
        session.undo()
        session.undo()
        #expect(session.scribbledPaths.isEmpty)
        session.draw(stem.points)
        #expect(session.isComplete && TraceScore(session).isAccepted)
    }

    @Test func theUpdateListsAScribbledPath() throws {
        var session = TraceSession(target: try TraceTarget([stem], threshold: 100))
        var scribbled: [Int] = []
        let points = zigzag(100, advance: 40)
        session.begin(at: points[0])
        for point in points.dropFirst() { scribbled += session.move(to: point).scribbledPaths }
        #expect(scribbled == [0])
    }

    @Test func scribblingCanBeAllowed() throws {
        let target = try TraceTarget([stem], threshold: 100, detour: nil)
        #expect(TraceSession.drawing([zigzag(100, advance: 40)], on: target).isComplete)
        for detour in [0.99, -1, Double.nan] {
            #expect(throws: TraceInputError.self) { try TraceTarget([stem], detour: detour) }
        }
    }

    /// The order of covering the path and exceeding the limit within a move must not depend on its parts.
    @Test func splittingAMoveDoesNotMatter() throws {
        var walk = zigzag(90, advance: 60)
        walk.insert(
            contentsOf: (0..<40).map { walk[6] + TracePoint([0, 40, 60, 25][$0 % 4], [5, -30, 20][$0 % 3]) }, at: 7)
        var outcomes: Set<Bool> = []
        for detour in stride(from: 1, to: 3, by: 0.06) {
            let target = try TraceTarget([stem], threshold: 100, detour: detour)
            let whole = TraceSession.drawing([walk], on: target)
            for parts in [2, 7] {
                let split = zip(walk, walk.dropFirst()).flatMap { start, end in
                    (0...parts).map { start.interpolated(to: end, Double($0) / Double(parts)) }
                }
                #expect(TraceSession.drawing([split], on: target).isComplete == whole.isComplete, "\(detour)")
            }
            outcomes.insert(whole.isComplete)
        }
        #expect(outcomes == [true, false])
    }

    /// A zigzag in the middle half of the guide, so dense that much of it is near each of its points.
    @Test(arguments: [6.0, 7, 9, 12, 16]) func aDenseZigzagIsNoRest(amplitude: Double) throws {
        let session = TraceSession.drawing(
            [zigzag(amplitude, advance: 0.5)], on: try TraceTarget([stem], threshold: 20))
        #expect(!session.isComplete && session.scribbledPaths == [0])
        #expect(!TraceScore(session).isAccepted)
    }

    @Test func drawingAPathTwiceDoesNoHarm() throws {
        let target = try TraceTarget([stem], threshold: 20)
        let half = [TracePoint(500, 100), TracePoint(500, 500)]
        let session = TraceSession.drawing([half, half.reversed(), half, stem.points, stem.points], on: target)
        #expect(session.isComplete && session.scribbledPaths.isEmpty)
    }

    /// A slow finger on a fast screen: the distance between samples is less than the tremor.
    @Test(arguments: [0.05, 0.17, 0.5, 2]) func aTremblingHandDoesNotScribble(step: Double) throws {
        let target = try TraceTarget([stem], threshold: 20)
        var walk: [TracePoint] = []
        for (number, point) in stem.walked(step: step).enumerated() {
            let (across, along) = ([0.7, -0.5, 0, -0.7, 0.6][number % 5], [0.4, -0.6, 0.5][number % 3])
            walk.append(TracePoint(point.x + across, point.y + along))
        }
        let session = TraceSession.drawing([walk], on: target)
        #expect(session.isComplete && session.scribbledPaths.isEmpty)
        #expect(TraceScore(session).isAccepted && TraceScore(session).reasons.isEmpty)
    }

    @Test func aFingerThatRestsDoesNotScribble() throws {
        var session = TraceSession(target: try TraceTarget([stem], threshold: 20))
        session.begin(at: stem.points[0])
        session.move(to: TracePoint(500, 500))
        for number in 0..<5000 { session.move(to: TracePoint(500, number.isMultiple(of: 2) ? 500.5 : 500)) }
        session.move(to: stem.points[1])
        #expect(session.isComplete)
        #expect(TraceScore(session).isAccepted)
    }

    @Test func aDotMayBeFilledIn() throws {
        let target = try TraceTarget([TracePath(points: [TracePoint(50, 50)])])
        var scribble: [TracePoint] = []
        for number in 0...200 {
            let (x, y) = (40 + number * 7 % 20, 40 + number * 11 % 20)
            scribble.append(TracePoint(Double(x), Double(y)))
        }
        #expect(TraceSession.drawing([scribble], on: target).isComplete)
    }

    @Test func aShiftedStrokeDrawsNothing() throws {
        let shifted = stem.points.map { TracePoint($0.x + 240, $0.y) }
        let session = TraceSession.drawing([shifted], on: try TraceTarget([stem], threshold: 100))
        #expect(session.completion == 0 && session.lines.allSatisfy { $0.verdict == .offPath })
    }
}
