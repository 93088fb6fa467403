import Testing
import Tracer

@testable import TracerWeb

@Suite struct WebSessionTests {
    /// The letter I and, in the second order, drawn upwards; then two writing lines and a box.
    private static let stroke: [Double] = [
        1, 2, 77, 2, 50, 0, 76, 2, 50, 100, 1, 1, -1, 2, 0, 100, 4, 0, -12.5, 100, 125,
    ]
    private static let size = TraceSize(320, 400)

    private func started(_ mode: TraceSettings.Mode = .free) -> WebSession {
        var session = WebSession()
        let isStarted = session.start(glyph: Self.stroke, in: Self.size, TraceSettings(mode: mode))
        #expect(isStarted)
        return session
    }

    @Test func aTraceHasTheResultsOfTheEngine() throws {
        var session = started()
        #expect(session.geometry == [1, 2, 160, 40, 160, 360, 2, 160, 40, 160, 360])
        let first = session.begin(at: TracePoint(160, 40), time: 0, touch: 3)
        #expect(first == .onPath)
        let second = session.move(to: TracePoint(160, 300), time: 0.5, touch: 3)
        #expect(second == .onPath)
        let last = session.move(to: TracePoint(160, 360), time: 1, touch: 3)
        #expect(last == [.onPath, .completesTrace])
        session.end(touch: 3)
        let ignored = session.move(to: TracePoint(0, 0), time: 2, touch: 3)
        #expect(ignored == [])
        let off = session.begin(at: TracePoint(0, 0), time: 2, touch: 3)
        #expect(off == .offPath)
        #expect(session.lines.prefix(7) == [4, 0, 1, 160, 40, 160, 40])
        let isUndone = session.undo()
        #expect(isUndone)
        #expect(session.score == [1, 1, 1, 0, 100, 1, 1])
        #expect(session.reasons == "")
        #expect(session.strokes == [1, 3, 160, 40, 0, 160, 300, 0.5, 160, 360, 1])
    }

    @Test func cuesAndADemonstrationAreLists() {
        var session = started()
        // Two writing lines, a ring, an arrow of a shaft and a head, a dot, and the line of the digit 1.
        #expect(session.cues.prefix(7) == [7, 1, 1.5, 2, 0, 40, 320])
        let kinds = Self.kinds(session.cues)
        #expect(kinds == [1, 1, 2, 4, 4, 8, 16])
        // In ordered mode, the arrow of the hint takes the place of the one at the start.
        let ordered = Self.kinds(started(.ordered).cues)
        #expect(ordered == [1, 1, 2, 8, 16])
        #expect(session.demonstration.prefix(5) == [1, 2, 160, 40, 0])
        #expect(session.completionLine == -1)
        for count in 1...3 {
            _ = session.begin(at: TracePoint(5, 5), time: 0, touch: 0)
            _ = session.move(to: TracePoint(60, 300), time: 0, touch: 0)
            session.end(touch: 0)
            #expect(session.mistakes == [Double(count), count < 3 ? -1 : 0])
        }
        let isRead = session.replay([1, 2, 160, 40, 0, 160, 360, 1])
        #expect(isRead && session.completionLine == 7 && session.mistakes == [3, -1])
    }

    @Test func theProgressAndScribblingAreReportedAndResetForgetsMistakes() {
        var session = started(.ordered)
        #expect(session.progress == [0, 0])
        var scribbles = session.begin(at: TracePoint(145, 40), time: 0, touch: 0)
        for step in 1...200 {
            let point = TracePoint(step.isMultiple(of: 2) ? 145 : 175, 40 + 1.6 * Double(step))
            scribbles.formUnion(session.move(to: point, time: 0, touch: 0))
        }
        session.end(touch: 0)
        #expect(scribbles.contains(.scribbles) && session.progress.last == 0)
        _ = session.begin(at: .zero, time: 0, touch: 0)
        session.end(touch: 0)
        // The scribble, and the tap beside the path.
        #expect(session.mistakes == [2, -1])
        session.reset()
        #expect(session.mistakes == [0, -1] && session.strokes == [0] && session.progress == [0, 0])
        let isRead = session.replay([1, 2, 160, 40, 0, 160, 360, 1])
        #expect(isRead && session.progress == [-1, 1])
    }

    /// Returns the kinds of the shapes of cues.
    private static func kinds(_ cues: [Double]) -> [Double] {
        var kinds: [Double] = []
        var index = 1
        while index + 2 < cues.count {
            kinds.append(cues[index])
            index += 3 + 2 * Int(cues[index + 2])
        }
        return kinds
    }

    @Test func strokesThatWereReadAreDrawn() {
        var session = started(.ordered)
        #expect(session.hint == [2, 160, 40, 160, 80, 0])
        let isRead = session.replay([1, 2, 160, 360, 0, 160, 40, 1])
        #expect(isRead)
        #expect(session.score[5] == 1)
        #expect(session.hint == [])
        let isEmptyRead = session.replay([0])
        #expect(isEmptyRead)
        session.reset()
        #expect(session.strokes == [0])
        #expect(session.reasons == "Nothing was drawn.")
    }

    @Test(
        arguments: [
            [], [1], [-1], [0.5], [.nan], [1e300], [1, 1, 77], [1, 1, 77, 2, 50], [1, 1, 300, 0, 0],
            [1, 1, 76, 2, 0, 0, 0],
            [1, 2, 77, 2, 50, 0, 76, 2, 50, 100, 1, 1, 0, 0], [1, 2, 77, 2, 50, 0, 76, 2, 50, 100],
            [1, 2, 77, 2, 50, 0, 76, 2, 50, 100, 0], [1, 2, 77, 2, 50, 0, 76, 2, 50, 100, 0, 3, 1],
            [1, 1, 77, 2, 50, 0, 0, 0], [1, 1, 77, 2, 50, 0, 0, 0, 3, 0, 0, 1],
        ] as [[Double]])
    func otherNumbersAreNoGlyph(numbers: [Double]) {
        var session = started()
        let isStarted = session.start(glyph: numbers, in: Self.size, TraceSettings())
        #expect(!isStarted)
        #expect(session.geometry == [0, 0])
        let result = session.begin(at: .zero, time: 0, touch: 0)
        #expect(result == [])
    }

    @Test func theThresholdIsThatOfTheSettingsOrAShareOfTheBox() {
        var session = started()
        #expect(session.threshold == 20)
        let isStarted = session.start(glyph: Self.stroke, in: Self.size, TraceSettings(threshold: 7))
        #expect(isStarted && session.threshold == 7)
        // Without a box, the stroke and its guide fill the view.
        let hasNoBox = session.start(
            glyph: [1, 2, 77, 2, 50, 0, 76, 2, 50, 100, 0, 0, 0], in: TraceSize(160, 320), TraceSettings())
        #expect(hasNoBox && abs(session.threshold - 10) < 1e-9)
        #expect(session.geometry.prefix(6).map { $0.rounded() } == [1, 2, 80, 90, 80, 230])
    }

    @Test(arguments: [[], [1], [1, 1, 0, 0], [2, 0], [.infinity]] as [[Double]])
    func otherNumbersAreNoStrokes(numbers: [Double]) {
        var session = started()
        let isRead = session.replay(numbers)
        #expect(!isRead)
        #expect(session.strokes == [0])
    }
}
