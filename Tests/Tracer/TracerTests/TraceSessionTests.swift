import TestSupport
import Testing
import Tracer

@Suite struct TraceSessionTests {
    @Test(arguments: [1.0, 2, 5, 15, 40, 100, 500], [false, true])
    func theTCompletesAtAnyStepSizeInEitherDirection(step: Double, isReversed: Bool) throws {
        let walks = articleT.map { (isReversed ? $0.reversed() : $0).walked(step: step) }
        let session = TraceSession.drawing(walks, on: try TraceTarget(articleT))
        #expect(session.isComplete)
        #expect(session.completion == 1)
        #expect(session.lines.allSatisfy { session.color(of: $0) == .green })
    }

    @Test func linesAreBlackUntilTheTraceIsComplete() throws {
        var session = TraceSession(target: try TraceTarget(articleT))
        session.draw(articleT[0].walked(step: 10))
        #expect(session.lines.allSatisfy { session.color(of: $0) == .black })
        #expect(!session.isComplete)
        session.draw(articleT[1].walked(step: 10))
        #expect(session.lines.allSatisfy { session.color(of: $0) == .green })
    }

    @Test func redStaysRedWhenTheTraceIsComplete() throws {
        var session = TraceSession(target: try TraceTarget(articleT))
        session.draw([TracePoint(10, 10), TracePoint(20, 30)])
        for path in articleT { session.draw(path.walked(step: 10)) }
        #expect(session.isComplete)
        #expect(session.color(of: session.lines[0]) == .red)
        #expect(session.lines.filter { $0.verdict == .onPath }.allSatisfy { session.color(of: $0) == .green })
    }

    @Test func aFastMoveIsJudgedAlongItsEntireLength() throws {
        let target = try TraceTarget([
            TracePath(points: [TracePoint(0, 0), TracePoint(0, 100)]),
            TracePath(points: [TracePoint(200, 0), TracePoint(200, 100)]),
        ])
        let session = TraceSession.drawing([[TracePoint(0, 50), TracePoint(200, 50)]], on: target)
        #expect(session.lines.last?.verdict == .offPath)
        #expect(abs((session.lines.last?.insideShare ?? 0) - 0.2) < 1e-9)
    }

    @Test func exactlyTheThresholdIsOnThePath() throws {
        let target = try TraceTarget([TracePath(points: [.zero, TracePoint(100, 0)])])
        let on = TraceSession.drawing([[TracePoint(0, 20), TracePoint(100, 20)]], on: target)
        #expect(on.lines.allSatisfy { $0.verdict == .onPath })
        #expect(on.isComplete)
        let off = TraceSession.drawing([[TracePoint(0, 20.001), TracePoint(100, 20.001)]], on: target)
        #expect(off.lines.allSatisfy { $0.verdict == .offPath })
        #expect(off.completion == 0)
    }

    @Test func aTapDrawsADot() throws {
        let target = try TraceTarget([TracePath(points: [TracePoint(50, 50)])])
        var session = TraceSession(target: target)
        #expect(session.begin(at: TracePoint(80, 50)).line?.verdict == .offPath)
        #expect(!session.isComplete)
        let update = session.begin(at: TracePoint(60, 50))
        #expect(update.completesTrace && update.completedPaths == [0])
        #expect(session.isComplete)
    }

    @Test func nothingToTraceIsNeverComplete() throws {
        for paths in [[], [TracePath(points: [])]] {
            let session = TraceSession.drawing([[.zero, TracePoint(10, 10)]], on: try TraceTarget(paths))
            #expect(!session.isComplete)
            #expect(session.completion == 0)
            #expect(session.lines.allSatisfy { session.color(of: $0) == .red })
        }
    }

    @Test func aMoveWithoutABeginningIsIgnored() throws {
        var session = TraceSession(target: try TraceTarget(articleT))
        #expect(session.move(to: TracePoint(100, 150)).line == nil)
        session.begin(at: TracePoint(100, 150))
        session.end()
        #expect(session.move(to: TracePoint(120, 150)).line == nil)
        #expect(session.begin(at: TracePoint(.nan, 0)).line == nil)
        #expect(session.lines.count == 1)
    }

    @Test func invalidTimesDoNotSpoilTheRecording() throws {
        var session = TraceSession(target: try TraceTarget([TracePath(points: [TracePoint(5, 5), TracePoint(50, 5)])]))
        session.begin(at: TracePoint(5, 5), time: .nan)
        session.move(to: TracePoint(20, 5), time: 2)
        session.move(to: TracePoint(30, 5), time: .infinity)
        session.move(to: TracePoint(50, 5), time: -.infinity)
        #expect(session.strokes.map { $0.samples.map(\.time) } == [[0, 2, 2, 2]])
    }

    @Test func messagesForThresholds() {
        #expect("\(TraceInputError.threshold(0))" == "expected a threshold above zero, found 0.0")
        #expect("\(TraceInputError.threshold(1e13))".hasPrefix("expected a threshold up to 1"))
    }

    @Test func simultaneousTouchesDrawTheirOwnStrokes() throws {
        var session = TraceSession(target: try TraceTarget(articleT))
        let (bar, stem) = (articleT[0].walked(step: 20), articleT[1].walked(step: 20))
        session.begin(at: bar[0], touch: 1)
        session.begin(at: stem[0], touch: 2)
        for index in 1..<stem.count {
            if index < bar.count { session.move(to: bar[index], touch: 1) }
            session.move(to: stem[index], touch: 2)
        }
        #expect(session.isComplete)
        #expect(session.lines.allSatisfy { $0.verdict == .onPath })
        #expect(session.strokes.count == 2)
    }

    @Test func aCanceledTouchRemovesItsStroke() throws {
        var session = TraceSession(target: try TraceTarget(articleT))
        session.draw(articleT[0].points)
        let before = session.completion
        session.begin(at: TracePoint(210, 150), touch: 7)
        session.move(to: TracePoint(210, 555), touch: 7)
        #expect(session.isComplete)
        session.cancel(touch: 7)
        #expect(session.completion == before)
        #expect(!session.isComplete)
        #expect(session.strokes.count == 1)
        #expect(session.move(to: TracePoint(210, 300), touch: 7).line == nil)
    }

    @Test func newPathsRejudgeTheStrokes() throws {
        var session = TraceSession.drawing([articleT[0].points], on: try TraceTarget(articleT))
        #expect(!session.isComplete)
        session.retarget(to: try TraceTarget([articleT[0]]))
        #expect(session.isComplete)
        session.retarget(to: try TraceTarget([articleT[1]]))
        #expect(session.lines.contains { session.color(of: $0) == .red })
    }

    @Test func invalidSettingsAreRejected() {
        for threshold in [0, -5, Double.nan, .infinity, 1e13] {
            #expect(throws: TraceInputError.self) { try TraceTarget(articleT, threshold: threshold) }
        }
        for coverage in [-0.1, 1.1, Double.nan] {
            #expect(throws: TraceInputError.self) {
                try TraceTarget(paths: articleT, settings: TraceSettings(requiredCoverage: coverage))
            }
        }
        #expect(throws: TraceInputError.self) { try TraceTarget([TracePath(points: [TracePoint(0, .nan)])]) }
    }
}
