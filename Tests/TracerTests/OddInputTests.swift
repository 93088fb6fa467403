import TestSupport
import Testing
import Tracer

/// Views, thresholds and touches that no app should use, and some does.
@Suite struct OddInputTests {
    @Test(arguments: [1, 4, 40, 80, 100, 320] as [Double]) func aLetterFitsIntoAnyView(side: Double) throws {
        for glyph in Alphabet.all {
            let target = try glyph.target(in: TraceSize(side, side))
            for point in target.paths.flatMap(\.points) {
                let room = target.settings.threshold
                #expect((room...(side - room)).contains(point.x) && (room...(side - room)).contains(point.y))
            }
        }
    }

    @Test(arguments: [10, 40, 80, 320] as [Double]) func noTapCompletesALetter(side: Double) throws {
        for glyph in Alphabet.all {
            let target = try glyph.target(in: TraceSize(side, side))
            for point in target.paths.flatMap(\.points) {
                var session = TraceSession(target: target)
                session.begin(at: point)
                #expect(!session.isComplete, "\(glyph.name) at \(point)")
            }
        }
    }

    @Test(arguments: [(0, 0), (-320, 400), (320, -1), (.nan, 1), (.infinity, .infinity)] as [(Double, Double)])
    func aViewWithoutAreaIsRefused(width: Double, height: Double) {
        #expect(throws: TraceInputError.self) {
            try Alphabet.capitals[0].target(in: TraceSize(width, height))
        }
    }

    @Test(arguments: [Double.leastNonzeroMagnitude, 1e-300, 1e-9]) func aTinyThresholdIsExact(threshold: Double) throws
    {
        let settings = TraceSettings(threshold: threshold)
        let target = try Alphabet.capitals[19].target(in: TraceSize(320, 400), settings: settings)
        let session = TraceSession.drawing(target.paths.map(\.points), on: target)
        #expect(session.completion > 0.99)
        #expect(TraceSession.drawing([[TracePoint(0, 0), TracePoint(320, 400)]], on: target).completion < 0.01)
        _ = TraceScore(session).points
    }

    @Test(arguments: [[.max], [.max, 0], [.min, .max], [0, 2]] as [[Int]])
    func aReplayBesideTouchesKeepsThem(touches: [Int]) throws {
        let target = try Alphabet.capitals[19].target(in: TraceSize(320, 400))
        var session = TraceSession(target: target)
        for touch in touches { session.begin(at: TracePoint(160, 40), touch: touch) }
        let strokes = target.paths.map { Recording.Stroke(samples: $0.points.map { Recording.Sample($0) }) }
        session.replay(strokes)
        #expect(session.isComplete)
        for touch in touches { #expect(session.isTouchDown(touch)) }
        #expect(session.strokes.count == touches.count + strokes.count)
    }
}
