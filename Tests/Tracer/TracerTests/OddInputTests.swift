import TestSupport
import Testing
import Tracer

/// Unusual views, thresholds and touches.
@Suite struct OddInputTests {
    @Test(arguments: [1, 4, 40, 80, 100, 320] as [Double]) func aLetterFitsIntoAnyView(side: Double) throws {
        for glyph in Alphabet.all {
            let target = try glyph.target(in: TraceSize(side, side))
            for point in target.paths.flatMap(\.points) {
                let room = target.threshold
                #expect((room...(side - room)).contains(point.x) && (room...(side - room)).contains(point.y))
            }
        }
    }

    @Test(arguments: [10, 40, 80, 320] as [Double]) func noTapCompletesALetter(side: Double) throws {
        for glyph in Alphabet.all {
            let target = try glyph.target(in: TraceSize(side, side))
            for path in target.paths {
                // Both ends, and every third point between them.
                let taps = stride(from: 0, to: path.points.count, by: 3).map { path.points[$0] } + path.points.suffix(1)
                for point in taps {
                    var session = TraceSession(target: target)
                    session.begin(at: point)
                    #expect(!session.isComplete, "\(glyph.name) at \(point)")
                }
            }
        }
    }

    @Test(arguments: [(0, 0), (-320, 400), (320, -1), (.nan, 1), (.infinity, .infinity)] as [(Double, Double)])
    func aViewWithoutAreaIsRefused(width: Double, height: Double) {
        #expect(throws: TraceInputError.self) {
            try Alphabet.uppercase[0].target(in: TraceSize(width, height))
        }
    }

    @Test(arguments: [Double.leastNonzeroMagnitude, 1e-300, 1e-9]) func aTinyThresholdIsExact(threshold: Double) throws
    {
        let settings = TraceSettings(threshold: .units(threshold))
        let target = try Alphabet.uppercase[19].target(in: TraceSize(320, 400), settings: settings)
        let session = TraceSession.drawing(target.paths.map(\.points), on: target)
        #expect(session.completion > 0.99)
        #expect(TraceSession.drawing([[TracePoint(0, 0), TracePoint(320, 400)]], on: target).completion < 0.01)
        _ = TraceScore(session).points
    }

    @Test(arguments: [[.max], [.max, 0], [.min, .max], [0, 2]] as [[Int]])
    func aReplayBesideTouchesKeepsThem(touches: [Int]) throws {
        let target = try Alphabet.uppercase[19].target(in: TraceSize(320, 400))
        var session = TraceSession(target: target)
        for touch in touches { session.begin(at: TracePoint(160, 40), touch: touch) }
        let strokes = target.paths.map { Recording.Stroke(samples: $0.points.map { Recording.Sample($0) }) }
        session.replay(strokes)
        #expect(session.isComplete)
        for touch in touches { #expect(session.isTouchDown(touch)) }
        #expect(session.strokes.count == touches.count + strokes.count)
    }

    @Test func keyPointsAreThoseOfAComparisonWithAllEarlierOnes() {
        let generator = zip(.paths, Generator<Double>.element(of: [1e-300, 0.5, 20, 90, 1e6]))
        checkProperty("key points", generator, cases: 200) { paths, threshold in
            let target = try TraceTarget(paths, threshold: threshold)
            let found = target.keyPoints
            let pairs = found.indices.flatMap { one in found.indices.dropFirst(one + 1).map { (one, $0) } }
            let isSparse = pairs.allSatisfy { found[$0].distance(to: found[$1]) >= threshold / 2 }
            let ends = paths.flatMap { [$0.points.first, $0.points.last].compactMap(\.self) }
            return isSparse
                && ends.allSatisfy { end in found.contains { $0.distance(to: end) < max(threshold / 2, 1e-300) } }
        }
    }

    @Test(arguments: TraceSettings.Mode.allCases) func manyStrokesAreUndoneOneByOne(mode: TraceSettings.Mode) throws {
        let target = try Alphabet.uppercase[19].target(in: TraceSize(320, 400), settings: TraceSettings(mode: mode))
        var sessions = [TraceSession(target: target)]
        for number in 0..<150 {
            var next = sessions[number]
            let start = TracePoint(Double(number * 37 % 320), Double(number * 91 % 400))
            next.draw((0..<20).map { TracePoint(start.x + Double($0) * 5, start.y + Double($0 * number % 7)) })
            sessions.append(next)
        }
        var session = sessions[150]
        for number in (0..<150).reversed() {
            session.undo()
            try #require(session.lines == sessions[number].lines && session.strokes == sessions[number].strokes)
            try #require(session.pathCoverage == sessions[number].pathCoverage)
            try #require(session.completion == sessions[number].completion)
        }
    }

    /// A canceled stroke is removed from the middle while other strokes continue.
    @Test func aStrokeAmongManyIsCanceled() throws {
        let target = try Alphabet.uppercase[19].target(in: TraceSize(320, 400))
        var (session, without) = (TraceSession(target: target), TraceSession(target: target))
        func draw(_ number: Int, on session: inout TraceSession) {
            session.begin(at: TracePoint(Double(number), 40), touch: number % 2)
            session.move(to: TracePoint(160, Double(number)), touch: number % 2)
            session.end(touch: number % 2)
        }
        for number in 0..<200 {
            if number == 120 { session.begin(at: TracePoint(160, 40), touch: 9) }
            if number == 150 { session.move(to: TracePoint(160, 360), touch: 9) }
            draw(number, on: &session)
            draw(number, on: &without)
        }
        session.cancel(touch: 9)
        #expect(session.lines == without.lines && session.completion == without.completion)
    }
}
