import TestSupport
import Testing
import Tracer

@Suite struct TraceQuizTests {
    private func quiz(_ mode: TraceSettings.Mode = .free) throws -> TraceQuiz {
        TraceQuiz(
            glyphs: try ["T", "l"].map { try #require(Alphabet.glyph($0)) }, settings: TraceSettings(mode: mode),
            size: TraceSize(320, 400), mistakesBeforeHint: 2)
    }

    @discardableResult
    private func draw(_ points: [TracePoint], _ quiz: inout TraceQuiz) -> Bool {
        quiz.begin(at: points[0])
        for point in points { quiz.move(to: point) }
        return quiz.end()
    }

    @Test func mistakesAreCountedForEachLetter() throws {
        var quiz = try quiz()
        let paths = try #require(quiz.surface.session).target.paths
        let isFirstMistake = draw([TracePoint(2, 2), TracePoint(300, 390)], &quiz)
        #expect(isFirstMistake)
        quiz.surface.withSession { _ = $0.undo() }
        for path in paths {
            let isMistake = draw(path.points, &quiz)
            #expect(!isMistake)
        }
        #expect(quiz.results[0].mistakes == 1 && quiz.results[0].isComplete && !quiz.isComplete)
        quiz.showLetter(at: 1)
        draw(try #require(quiz.surface.session).target.paths[0].points, &quiz)
        #expect(quiz.isComplete && quiz.mistakes == 1)
        let isLateMistake = quiz.end()
        #expect(!isLateMistake)
    }

    @Test func afterSomeMistakesTheQuizDrawsTheStroke() throws {
        var quiz = try quiz(.ordered)
        quiz.mistakesBeforeCompletion = 3
        for number in 1...6 {
            draw([TracePoint(2, 2), TracePoint(300, 390)], &quiz)
            #expect(quiz.results[0].strokesDrawnByQuiz == number / 3)
            #expect(quiz.surface.session?.expectedStep?.path == (number < 3 ? 0 : number < 6 ? 1 : nil))
        }
        #expect(quiz.results[0].isComplete && quiz.results[0].mistakes == 6)
        let hasNext = quiz.showNextLetter()
        #expect(hasNext && quiz.position == 1)
        let hasMore = quiz.showNextLetter()
        #expect(!hasMore && quiz.position == 1 && !quiz.isComplete)
    }

    /// A scribble over a path is on the path, but no line completes the path any more.
    @Test(arguments: TraceSettings.Mode.allCases) func aScribbleIsAMistake(mode: TraceSettings.Mode) throws {
        var quiz = try quiz(mode)
        quiz.mistakesBeforeCompletion = 3
        let target = try #require(quiz.surface.session).target
        let stem = target.paths[0].walked(step: 0.4 * target.threshold)
        let zigzag = stem.enumerated().map { number, point in
            TracePoint(point.x + (number.isMultiple(of: 2) ? 0.9 : -0.9) * target.threshold, point.y)
        }
        let isScribble = draw(zigzag, &quiz)
        #expect(isScribble && quiz.surface.session?.scribbledPaths == [0])
        draw([TracePoint(2, 2), TracePoint(300, 390)], &quiz)
        #expect(quiz.hint == 0)
        draw([TracePoint(2, 2), TracePoint(300, 390)], &quiz)
        #expect(quiz.results[0].strokesDrawnByQuiz == 1 && quiz.surface.session?.scribbledPaths == [])
        let isLateMistake = draw(target.paths[1].points, &quiz)
        #expect(!isLateMistake && quiz.results[0].isComplete)
    }

    @Test func aStrokeOutOfOrderIsAMistakeInOrderedMode() throws {
        var quiz = try quiz(.ordered)
        let paths = try #require(quiz.surface.session).target.paths
        for number in 1...3 {
            // The stem from below, which no order permits.
            let isMistake = draw(paths[0].points.reversed(), &quiz)
            #expect(isMistake)
            #expect(quiz.hint == (number < 2 ? nil : 0))
        }
        #expect(quiz.results[0].hintedMistakes == 3)
        quiz.mistakesBeforeHint = nil
        #expect(quiz.hint == nil)
        let marks = TracePicture().hintItems(of: try #require(quiz.surface.session).target, path: 0)
        #expect(marks.count == 1)
    }

    @Test func aQuizWithoutLettersHasOneWithoutStrokes() {
        var quiz = TraceQuiz(glyphs: [], size: TraceSize(10, 10))
        quiz.begin(at: TracePoint(1, 1))
        quiz.showLetter(at: -1)
        #expect(quiz.glyphs.count == 1 && quiz.hint == nil)
    }
}
