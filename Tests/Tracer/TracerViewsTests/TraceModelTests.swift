import TestSupport
import Testing
import Tracer
import TracerViews

@MainActor @Suite struct TraceModelTests {
    private func model(_ letters: String...) throws -> TraceModel {
        let model = TraceModel(glyphs: try letters.map { try #require(Alphabet.glyph($0)) })
        model.resize(to: TraceSize(320, 400))
        return model
    }

    private func draw(_ points: [TracePoint], _ model: TraceModel, touch: Int = 0) {
        model.begin(at: points[0], time: 0, touch: touch)
        for point in points { model.move(to: point, time: 1, touch: touch) }
        model.end(touch: touch)
    }

    @Test func aHintFollowsThreeMistakes() throws {
        let model = try model("T")
        var feedback: [TraceFeedback] = []
        model.onFeedback = { feedback.append($0) }
        for _ in 0..<3 { draw([TracePoint(1, 1), TracePoint(40, 390)], model) }
        #expect(feedback.suffix(2) == [.mistake(3), .hint(path: 0)])
        #expect(model.quiz.hint == 0)
        model.reset()
        #expect(model.quiz.hint == nil && model.session?.strokes.isEmpty == true)
        for _ in 0..<3 { draw([TracePoint(1, 1), TracePoint(40, 390)], model) }
        draw(try #require(model.session).target.paths[0].points, model)
        #expect(model.quiz.hint == nil)
    }

    @Test func afterSomeMistakesTheModelDrawsTheStroke() throws {
        let model = try model("l", "T")
        model.mistakesBeforeHint = nil
        model.mistakesBeforeCompletion = 2
        var feedback: [TraceFeedback] = []
        model.onFeedback = { feedback.append($0) }
        for _ in 0..<2 { draw([TracePoint(1, 1), TracePoint(40, 390)], model) }
        #expect(feedback.suffix(2) == [.mistake(2), .completed])
        #expect(model.session?.isComplete == true && model.quiz.hint == nil)
        model.show([try #require(Alphabet.glyph("T"))])
        #expect(model.mistakesBeforeCompletion == 2 && model.mistakesBeforeHint == nil)
    }

    @Test func touchesAreIndependent() throws {
        let model = try model("T")
        let paths = try #require(model.session).target.paths
        model.begin(at: paths[0].points[0], time: 0, touch: 1)
        model.begin(at: paths[1].points[0], time: 0, touch: 2)
        model.cancel(touch: 1)
        for point in paths[1].points { model.move(to: point, time: 1, touch: 2) }
        model.end(touch: 2)
        #expect(model.session?.strokes.count == 1 && model.session?.pathCoverage[1] == 1)
    }

    @Test func aRecordingIsRestoredInAnotherSize() throws {
        let first = try model("T")
        for path in try #require(first.session).target.paths { draw(path.points, first) }
        let recording = try #require(first.recording)
        let second = TraceModel(glyphs: try [#require(Alphabet.glyph("T"))])
        second.restore(recording)
        #expect(second.session?.isComplete == true)
        second.resize(to: TraceSize(800, 1000))
        #expect(second.session?.isComplete == true && second.recording?.size == TraceSize(800, 1000))
        second.undo()
        #expect(second.session?.strokes.count == 1)
        second.reset()
        #expect(second.session?.strokes.isEmpty == true)
    }

    @Test func settingsAndLettersChange() throws {
        let model = try model("T", "l")
        model.settings = TraceSettings(threshold: 12, mode: .ordered)
        #expect(model.session?.expectedPoint != nil)
        model.showLetter(at: 1)
        #expect(model.surface.glyph.name == "l" && model.settings.threshold == 12)
        model.showLetter(at: 7)
        #expect(model.surface.glyph.name == "l")
        model.show([])
        #expect(model.surface.glyph.name == "")
    }

    @Test func labelsAreReplaceable() throws {
        let model = try model("T")
        #expect(model.labels.letter(try #require(Alphabet.glyph("7.alt"))) == "Letter 7")
        model.labels.completion = { "\(Int($0 * 100)) Prozent" }
        #expect(model.labels.completion(0.5) == "50 Prozent")
    }
}
