import Testing

@testable import Tracer

/// A child who lifts the pen anywhere, and then follows the arrow literally.
@Suite struct NextPartTests {
    private static let glyphs = Alphabet.all + Alphabet.alternates + Alphabet.accented

    private func quiz(_ letter: String) throws -> TraceQuiz {
        let glyph = try #require(Alphabet.glyph(letter))
        return quiz(glyph)
    }

    private func quiz(_ glyph: Glyph) -> TraceQuiz {
        TraceQuiz(glyphs: [glyph], settings: TraceSettings(mode: .ordered), size: TraceSize(320, 400))
    }

    /// Draws the next part. Returns `false` if the arrow leaves the guide, or leads to a mistake or nowhere.
    private func follow(_ quiz: inout TraceQuiz) throws -> Bool {
        let before = try #require(quiz.surface.session)
        let part = before.nextPartOfStroke
        guard !part.isEmpty, part.allSatisfy({ before.target.index.contains($0) }) else { return false }
        quiz.draw(TracePath(points: part).walked(step: 7))
        let after = try #require(quiz.surface.session)
        return quiz.mistakes == 0 && after.lines.allSatisfy { $0.verdict == .onPath }
            && after.nextPartOfStroke != part
    }

    @Test(arguments: glyphs) func followingTheArrowIsRightWhereverThePenWasLifted(glyph: Glyph) throws {
        var drawn = quiz(glyph)
        let target = try #require(drawn.surface.session?.target)
        for path in target.pathsInOrder {
            for lift in stride(from: 0, to: path.length + 0.1, by: 0.6 * target.threshold) {
                var child = drawn
                if lift > 0 { child.draw(TracePath(points: path.part(from: 0, to: lift)).walked(step: 7)) }
                guard child.surface.session?.isComplete == false else { continue }
                let isRight = try follow(&child)
                #expect(isRight, "lifted after \(lift) of \(path.length)")
            }
            drawn.draw(path.walked(step: 7))
        }
        #expect(drawn.surface.session?.isComplete == true)
    }

    /// Nothing but arrows leads to the end of each letter.
    @Test(arguments: glyphs) func theArrowsDrawTheWholeLetter(glyph: Glyph) throws {
        var child = quiz(glyph)
        for _ in 0..<80 where child.surface.session?.isComplete == false {
            let isRight = try follow(&child)
            try #require(isRight)
        }
        #expect(child.surface.session?.isComplete == true)
    }

    /// The arrow bends along a curve, ends at a corner, and begins where the pen was lifted.
    @Test func theArrowIsAPartOfTheStroke() throws {
        var child = try quiz("w")
        let target = try #require(child.surface.session?.target)
        let unit = target.threshold
        let path = target.paths[0]
        let corner = try #require(path.segments.first?.length)
        child.draw(TracePath(points: path.part(from: 0, to: corner - 1.5 * unit)).walked(step: 7))
        let part = try #require(child.surface.session?.nextPartOfStroke)
        #expect(part.last?.distance(to: path.points[1]) ?? .infinity < 1e-6)
        #expect(abs(TracePath(points: part).length - 1.5 * unit) < 0.1 * unit)
        child.draw(TracePath(points: path.part(from: corner - 1.5 * unit, to: corner)).walked(step: 7))
        let next = try #require(child.surface.session?.nextPartOfStroke)
        #expect(next.first?.distance(to: path.points[1]) ?? .infinity < 1e-6)
        #expect(abs(TracePath(points: next).length - 2 * unit) < 1e-6)
        let ringQuiz = try quiz("O")
        let ring = try #require(ringQuiz.surface.session)
        let bend = TracePath(points: ring.nextPartOfStroke)
        #expect(bend.points.count > 2 && abs(bend.length - 2 * ring.target.threshold) < 1e-6)
        var dotted = try quiz("i")
        let stem = try #require(dotted.surface.session?.target.paths[0])
        dotted.draw(stem.walked(step: 7))
        #expect(dotted.surface.session?.nextPartOfStroke.count == 1)
    }
}

extension TraceQuiz {
    fileprivate mutating func draw(_ points: [TracePoint]) {
        guard let first = points.first else { return }
        begin(at: first)
        for point in points.dropFirst() { move(to: point) }
        end()
    }
}
