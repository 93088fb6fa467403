import TestSupport
import Testing
import Tracer

@Suite struct ScoreTests {
    /// The case that stroke graders are measured by: 800 long, in a box of 1024.
    private let stroke = Path(points: (0..<10).map { Point(112 + Double($0) * 800 / 9, 512) })

    private func grade(_ points: [Point]) -> StrokeGrade {
        StrokeGrade(stroke: points, path: stroke, threshold: 100)
    }

    private func samples(_ across: (Double) -> Double) -> [Point] {
        (0..<60).map { Point(112 + Double($0) * 800 / 59, 512 + across(Double($0) / 59)) }
    }

    @Test func aCleanStrokeIsAccepted() {
        let clean = grade(samples { _ in 0 })
        #expect(clean.faults().isEmpty)
        #expect(clean.deviation < 1e-9 && clean.direction == 1 && clean.coverage == 1)
    }

    @Test func aZigzagIsRejectedThoughItStaysOnTheGuide() {
        let zigzag = grade((0...20).map { Point(112 + Double($0) * 40, 512 + ($0.isMultiple(of: 2) ? 100 : -100)) })
        #expect(zigzag.insideShare == 1)
        #expect(zigzag.faults().contains(.zigzag))
    }

    @Test func aShiftedStrokeIsRejected() {
        #expect(grade(samples { _ in 240 }).faults().contains(.offPath))
        #expect(!grade(samples { _ in 80 }).faults().isEmpty)
    }

    @Test func halfAStrokeAndABackwardsStrokeAreRejected() {
        #expect(grade(Array(samples { _ in 0 }.prefix(30))).faults() == [.incomplete])
        #expect(grade(samples { _ in 0 }.reversed()).faults() == [.backwards])
        var both = StrokeGrade.Limits()
        both.direction = nil
        #expect(grade(samples { _ in 0 }.reversed()).faults(both).isEmpty)
    }

    @Test func anyStrokeHasAGrade() {
        let generator = zip(Generator<Point>.anyPoint.array(), Generator<Point>.anyPoint.array(), .anyDouble)
        checkProperty("no grade traps", generator, cases: 500) { stroke, path, threshold in
            let grade = StrokeGrade(stroke: stroke, path: Path(points: path), threshold: threshold)
            _ = grade.faults()
            return (0...1).contains(grade.coverage) && (0...1).contains(grade.insideShare)
                && (-1...1).contains(grade.direction)
        }
    }

    private func score(_ letter: String, _ draw: ([Path]) -> [[Point]]) throws -> TraceScore {
        let target = try #require(Alphabet.glyph(letter)).target(in: Size(320, 400))
        return TraceScore(TraceSession.drawing(draw(target.paths), on: target))
    }

    @Test(arguments: Alphabet.all.map(\.name)) func aPerfectTraceHasNoReasons(letter: String) throws {
        let score = try score(letter) { $0.map { $0.walked(step: 8) } }
        #expect(score.reasons.isEmpty)
        #expect(score.points == 100)
    }

    @Test func reasonsNameStrokesAsPeopleCountThem() throws {
        #expect(try score("T") { _ in [] }.reasons.map(\.description) == ["Nothing was drawn."])
        #expect(try score("T") { [$0[0].points] }.reasons.map(\.description) == ["Stroke 2 is missing."])
        #expect(
            try score("K") { [$0[0].reversed().points, $0[1].points] }.reasons.map(\.description)
                == ["Stroke 1 was drawn from its end to its start."])
        #expect(
            try score("K") { [$0[1].points, $0[0].points] }.reasons.map(\.description)
                == ["Stroke 2 was drawn too early."])
        #expect(try score("T") { [$0[1].points, $0[0].points] }.reasons.isEmpty)
        #expect(
            try score("l") { [$0[0].points, [Point(20, 20), Point(60, 20)]] }.reasons
                .contains(.extraStrokes(1)))
    }

    @Test func pointsFallWithWhatIsMissing() throws {
        let half = try score("T") { [$0[0].points] }
        #expect((40...65).contains(half.points))
        #expect(try score("T") { _ in [] }.points == 0)
    }
}
