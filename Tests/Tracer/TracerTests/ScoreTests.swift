import TestSupport
import Testing

@testable import Tracer

@Suite struct ScoreTests {
    /// A stroke with a length of 800 in a box of 1024, as in published tests of stroke graders.
    private let stroke = TracePath(points: (0..<10).map { TracePoint(112 + Double($0) * 800 / 9, 512) })

    private func grade(_ points: [TracePoint]) -> StrokeGrade {
        StrokeGrade(stroke: points, path: stroke, threshold: 100)
    }

    private func samples(_ across: (Double) -> Double) -> [TracePoint] {
        (0..<60).map { TracePoint(112 + Double($0) * 800 / 59, 512 + across(Double($0) / 59)) }
    }

    @Test func aCleanStrokeIsAccepted() {
        let clean = grade(samples { _ in 0 })
        #expect(clean.faults().isEmpty)
        #expect(clean.deviation < 1e-9 && clean.direction == 1 && clean.coverage == 1)
    }

    @Test func aZigzagOnTheGuideIsRejected() {
        let zigzag = grade(
            (0...20).map { TracePoint(112 + Double($0) * 40, 512 + ($0.isMultiple(of: 2) ? 100 : -100)) })
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

    /// Returns a stroke with waves across a line. The amplitude is a share of the line's length.
    private func waves(_ length: Double, _ amplitude: Double, _ number: Double) -> [TracePoint] {
        (0...600).map { step in
            let share = Double(step) / 600
            let (sine, _) = Trigonometry.sineAndCosine(2 * Double.pi * number * share)
            return TracePoint(100 + length * share, 100 + amplitude * length * sine)
        }
    }

    @Test(arguments: [2.0, 4, 6, 9], [0.03, 0.06, 0.1]) func gentleWavesAreAccepted(length: Double, amplitude: Double) {
        let path = TracePath(points: [TracePoint(100, 100), TracePoint(100 + 20 * length, 100)])
        for number in [1.0, 2, 3] where amplitude * length < 0.9 {
            // Waves that are as steep as those of a zigzag are gentle only in the middle half of the guide.
            if amplitude * length > 0.5, 2 * Double.pi * amplitude * number > 1.5 { continue }
            let grade = StrokeGrade(stroke: waves(20 * length, amplitude, number), path: path, threshold: 20)
            #expect(grade.faults().isEmpty, "\(number) waves, \(grade)")
        }
    }

    /// Waves from edge to edge are hardly longer than the stroke. Those of a hand that sways are lower or longer.
    @Test(arguments: [6.0, 9, 14, 30]) func wavesFromEdgeToEdgeAreZigzags(length: Double) {
        let path = TracePath(points: [TracePoint(100, 100), TracePoint(100 + 20 * length, 100)])
        func isZigzag(_ height: Double, _ wave: Double) -> Bool {
            let points = waves(20 * length, height / length, length / wave)
            return StrokeGrade(stroke: points, path: path, threshold: 20).faults().contains(.zigzag)
        }
        for wave in [1.5, 2, 2.5, 3, 3.5] {
            #expect(isZigzag(0.8, wave), "\(wave)")
            #expect(isZigzag(0.9, wave), "\(wave)")
        }
        #expect(!isZigzag(0.5, 3) && !isZigzag(0.6, 4) && !isZigzag(0.7, 5) && !isZigzag(0.8, 8))
    }

    @Test func steepWavesAndStrokesToAndFroAreZigzags() {
        for length in [4.0, 6, 9, 30] {
            let path = TracePath(points: [TracePoint(100, 100), TracePoint(100 + 20 * length, 100)])
            let steep = StrokeGrade(stroke: waves(20 * length, 0.8 / length, length), path: path, threshold: 20)
            #expect(steep.faults().contains(.zigzag), "\(length)")
            let walk = path.walked(step: 5)
            let back = StrokeGrade(stroke: walk + walk.reversed(), path: path, threshold: 20)
            #expect(back.faults().contains(.zigzag), "\(length)")
        }
    }

    @Test func anyStrokeHasAGrade() {
        let generator = zip(Generator<TracePoint>.anyPoint.array(), Generator<TracePoint>.anyPoint.array(), .anyDouble)
        checkProperty("no grade traps", generator, cases: 200) { stroke, path, threshold in
            let grade = StrokeGrade(stroke: stroke, path: TracePath(points: path), threshold: threshold)
            _ = grade.faults()
            return (0...1).contains(grade.coverage) && (0...1).contains(grade.insideShare)
                && (-1...1).contains(grade.direction)
        }
    }

    @Test(arguments: ["8", "6", "b", "p", "e", "o", "O", "0", "9", "d"])
    func aClosedStrokeHasADirection(letter: String) throws {
        let path = try #require(Alphabet.glyph(letter)).target(in: TraceSize(320, 400)).paths[0]
        let walk = path.walked(step: 8)
        #expect(StrokeGrade(stroke: walk, path: path, threshold: 20).direction > 0.9)
        #expect(StrokeGrade(stroke: walk.reversed(), path: path, threshold: 20).direction < -0.9)
        let isClosed = path.points[0].distance(to: path.points[path.points.count - 1]) < 1
        guard isClosed, letter != "8" else { return }
        // For a stroke that begins elsewhere, its direction around the path counts.
        let turned = Array(walk[(walk.count / 3)...] + walk[..<(walk.count / 3)])
        #expect(StrokeGrade(stroke: turned, path: path, threshold: 20).direction > 0.8)
        #expect(StrokeGrade(stroke: turned.reversed(), path: path, threshold: 20).direction < -0.8)
    }

    private func score(_ letter: String, _ draw: ([TracePath]) -> [[TracePoint]]) throws -> TraceScore {
        let target = try #require(Alphabet.glyph(letter)).target(in: TraceSize(320, 400))
        return TraceScore(TraceSession.drawing(draw(target.paths), on: target))
    }

    @Test(arguments: Alphabet.all.map(\.name)) func aPerfectTraceHasNoReasons(letter: String) throws {
        let score = try score(letter) { $0.map { $0.walked(step: 8) } }
        #expect(score.reasons.isEmpty)
        #expect(score.points == 100)
    }

    @Test func reasonsNumberStrokesFromOne() throws {
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
            try score("l") { [$0[0].points, [TracePoint(20, 20), TracePoint(60, 20)]] }.reasons
                .contains(.extraStrokes(1)))
    }

    private func ordered(_ letter: String, _ draw: ([TracePath]) -> [[TracePoint]]) throws -> TraceScore {
        let settings = TraceSettings(mode: .ordered)
        let target = try #require(Alphabet.glyph(letter)).target(in: TraceSize(320, 400), settings: settings)
        return TraceScore(TraceSession.drawing(draw(target.paths), on: target))
    }

    @Test func aStrokeThatStartsInTheMiddleHasAReason() throws {
        let score = try ordered("O") { paths in
            let walk = paths[0].walked(step: 4)
            return [Array(walk[(walk.count / 2)...] + walk[...(walk.count / 2)])]
        }
        #expect(score.reasons.map(\.description) == ["Stroke 1 was not drawn from its start to its end."])
        #expect(!score.isAccepted)
    }

    @Test func aStrokeFarFromTheCenterHasAReason() throws {
        let score = try score("l") { [$0[0].points.map { TracePoint($0.x + 18, $0.y) }] }
        #expect(score.reasons == [.imprecise(path: 0)])
        #expect(!score.isAccepted)
    }

    @Test func aTraceThatIsNotAcceptedHasAReason() throws {
        // Strokes that are correct, reversed, from their middle, in two parts, or off their center.
        let ways = zip(Generator<Int>.integer(in: 0...4), .real(in: -19...19)).array(count: 4...4)
        let generator = zip(Generator<Glyph>.element(of: Alphabet.all), .element(of: [true, false]), ways, .bool)
        checkProperty("reasons", generator, cases: 160) { glyph, isOrdered, ways, isTurned in
            let settings = TraceSettings(mode: isOrdered ? .ordered : .free)
            let target = try glyph.target(in: TraceSize(320, 400), settings: settings)
            var strokes: [[TracePoint]] = []
            for (path, (way, shift)) in zip(target.paths, ways) {
                let walk = path.walked(step: 20)
                let (start, end) = (Array(walk[..<(walk.count / 2)]), Array(walk[(walk.count / 2)...]))
                switch way {
                case 1: strokes.append(walk.reversed())
                case 2: strokes.append(end + start)
                case 3: strokes += [end, start]
                case 4: strokes.append(walk.map { TracePoint($0.x + shift, $0.y) })
                default: strokes.append(walk)
                }
            }
            if isTurned { strokes.reverse() }
            let score = TraceScore(TraceSession.drawing(strokes, on: target))
            let faults = score.reasons.filter { if case .extraStrokes = $0 { false } else { true } }
            return score.isAccepted || !faults.isEmpty
        }
    }

    @Test func severalPathsInOneStrokeAreJoined() throws {
        let score = try score("L") { paths in [paths[0].points] }
        #expect(score.isAccepted)
        let beside = try self.score("T") { [$0[0].points + $0[1].points] }
        #expect(beside.reasons.last?.description == "27 percent of the line is beside the letter.")
        // The bar and then the stem without lifting the pen, always on the center of the letter.
        let both = try self.score("T") { [$0[1].points + [TracePoint(160, 25)] + $0[0].points] }
        #expect(both.reasons.map(\.description) == ["Stroke 2 was not drawn on its own."])
        #expect(both.deviation < 0.2 && !both.isAccepted && both.points < TraceScore.leastAcceptedPoints)
    }

    @Test func aStrokeThatOnlyCrossesAShortPathIsNotItsStroke() throws {
        let reasons = try score("I") { [$0[0].points] }.reasons
        #expect(reasons.map(\.description) == ["Stroke 2 is missing.", "Stroke 3 is missing."])
    }

    @Test func aPathDrawnInManyShortStrokesIsNotMissing() throws {
        let score = try score("O") { paths in
            let walk = Array(paths[0].walked(step: 10).dropLast(8))
            return stride(from: 0, to: walk.count, by: 8).map { Array(walk[$0..<min($0 + 9, walk.count)]) }
        }
        #expect(score.reasons.first?.description.hasPrefix("Stroke 1 is only drawn to ") == true)
    }

    @Test func almostCompleteIsNotAHundredPercent() {
        #expect(
            TraceScore.Reason.missing(path: 0, drawn: 0.998).description == "Stroke 1 is only drawn to 99 percent.")
    }

    @Test func aDotMayBeFilledIn() throws {
        let score = try score("i") { paths in
            let circles = (0...40).map { step -> TracePoint in
                let turn = TraceTransform.rotation(radians: Double(step) * 0.3)
                return paths[1].points[0] + turn.apply(to: TracePoint(6, 0))
            }
            return [paths[0].points, circles]
        }
        #expect(score.reasons.isEmpty)
        #expect(score.isAccepted)
    }

    @Test func missingPathsReduceThePoints() throws {
        let half = try score("T") { [$0[0].points] }
        #expect((40...65).contains(half.points))
        #expect(try score("T") { _ in [] }.points == 0)
    }
}
