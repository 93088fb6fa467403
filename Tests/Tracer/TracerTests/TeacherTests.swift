import TestSupport
import Testing

@testable import Tracer

/// Traces of a cheat, a teacher and a child, on a sample of the built-in letters. `LANE_PROPERTY_SEED=random` chooses
/// another sample, and `LANE_PROPERTY_CASES=20x` tries all letters. `tracer-demo bench --only hands` prints the rates of
/// many more traces.
@Suite struct TeacherTests {
    private static let glyphs = Alphabet.all + Alphabet.alternates + Alphabet.accented

    /// Returns a sample of values, which depends on a name.
    private func sample<Value>(of values: [Value], _ name: String, _ count: Int) -> [Value] {
        let settings = PropertySettings(name: name, cases: count)
        var (rest, sample, state) = (values, [Value](), settings.seed)
        while !rest.isEmpty, sample.count < settings.cases {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            sample.append(rest.remove(at: Int(state >> 33) % rest.count))
        }
        return sample
    }

    private func someGlyphs(_ name: String, _ count: Int = 6) -> [Glyph] { sample(of: Self.glyphs, name, count) }

    private func target(_ glyph: Glyph, _ mode: TraceSettings.Mode, _ size: TraceSize = TraceSize(320, 400)) throws
        -> TraceTarget
    {
        try glyph.target(in: size, settings: TraceSettings(mode: mode))
    }

    private func score(_ strokes: [[TracePoint]], _ target: TraceTarget) -> TraceScore {
        TraceScore(TraceSession.drawing(strokes, on: target))
    }

    private func expectRefused(_ score: TraceScore, _ name: String) {
        #expect(!score.isAccepted && !score.reasons.isEmpty, "\(name)")
        #expect(score.points < TraceScore.leastAcceptedPoints, "\(name)")
    }

    /// Strokes of one unit on the path, at a distance, in thresholds.
    @Test(arguments: [0.7, 1, 1.8, 2.5], TraceSettings.Mode.allCases) func dotsAreNoLetter(
        distance: Double, mode: TraceSettings.Mode
    ) throws {
        for glyph in someGlyphs("dots \(distance) \(mode)") {
            let target = try target(glyph, mode)
            let dots = target.paths.flatMap { path in
                stride(from: 0, through: path.length, by: distance * target.threshold).map { start in
                    [path.point(at: start), path.point(at: start + 1)].compactMap(\.self)
                }
            }
            let session = TraceSession.drawing(dots, on: target)
            #expect(!session.isComplete, "\(glyph.name)")
            expectRefused(TraceScore(session), glyph.name)
            if mode == .ordered { #expect(session.expectedPoint != nil, "\(glyph.name)") }
        }
    }

    @Test(arguments: TraceSettings.Mode.allCases) func aGapIsAGap(mode: TraceSettings.Mode) throws {
        // The gap is the smallest share of a long path.
        let long = ["W", "M"].compactMap(Alphabet.glyph)
        for glyph in long + someGlyphs("gap \(mode)", 10) {
            let target = try target(glyph, mode)
            for (index, path) in target.paths.enumerated() where path.length > 6 * target.threshold {
                let walk = path.walked(step: 2)
                let gap = Int(0.65 * target.threshold)
                let middle = walk.count / 3
                // Where a path goes back over itself, the other pass fills the gap.
                let isRetraced = walk.indices.contains { index in
                    abs(index - middle) > gap && walk[index].distance(to: walk[middle]) < 1.5 * target.threshold
                }
                if isRetraced { continue }
                var strokes = target.paths.map { $0.walked(step: 4) }
                strokes[index] = Array(walk[...(middle - gap)])
                strokes.insert(Array(walk[(middle + gap)...]), at: index + 1)
                let others = target.paths.indices.filter { $0 != index }.map { target.paths[$0] }
                let isShared = others.contains { other in
                    other.segments.contains { $0.distance(to: walk[middle]) < 2.5 * target.threshold }
                }
                if !isShared { expectRefused(score(strokes, target), "\(glyph.name) \(index)") }
            }
        }
    }

    /// Short strokes across the guide with a lifted pen.
    @Test(arguments: [0.5, 0.8, 1.2], TraceSettings.Mode.allCases) func hatchingIsNoLetter(
        distance: Double, mode: TraceSettings.Mode
    ) throws {
        for glyph in someGlyphs("hatching \(distance) \(mode)") {
            let target = try target(glyph, mode)
            let reach = TracePoint(0.95 * target.threshold, 0.3 * target.threshold)
            let hatches = target.paths.flatMap { path in
                path.walked(step: distance * target.threshold).map { [$0 - reach, $0 + reach] }
            }
            expectRefused(score(hatches, target), glyph.name)
        }
    }

    /// Waves from edge to edge of the guide, with as many strokes as the letter has. A letter that may be drawn with fewer
    /// strokes is the harder case: a joined stroke goes back over a line, and so is longer.
    @Test(arguments: [0.7, 1.5, 3], TraceSettings.Mode.allCases) func wavesAreNoLetter(
        length: Double, mode: TraceSettings.Mode
    ) throws {
        let joined = ["B", "P", "R", "y", "J.alt", "Y.alt"].compactMap(Alphabet.glyph)
        for glyph in joined + someGlyphs("waves \(length) \(mode)", 4) {
            let target = try target(glyph, mode)
            let wave = length * target.threshold
            let waves = target.paths.map { path -> [TracePoint] in
                guard path.length > target.threshold else { return path.points }
                return stride(from: 0, through: path.length, by: wave / 12).compactMap { distance in
                    let turn = (distance / wave).truncatingRemainder(dividingBy: 1)
                    let ends = [path.point(at: distance), path.point(at: min(distance + 1, path.length))].compactMap(
                        \.self)
                    let along = ends[1] - ends[0]
                    let height = (turn < 0.5 ? 4 * turn - 1 : 3 - 4 * turn) * 0.86 * target.threshold
                    return ends[0] + TracePoint(-along.y, along.x) * (height / max(along.length, 0.001))
                }
            }
            expectRefused(score(waves, target), glyph.name)
        }
    }

    /// A child that lifts the pen once in each stroke.
    @Test(arguments: ["A", "E", "F", "H", "I", "R", "T", "k"], TraceSettings.Mode.allCases)
    func thePenMayBeLiftedInEachStroke(letter: String, mode: TraceSettings.Mode) throws {
        let target = try target(try #require(Alphabet.glyph(letter)), mode)
        for overlap in [0, 0.5, 1] {
            let strokes = target.paths.flatMap { path -> [[TracePoint]] in
                let walk = path.walked(step: 4)
                let back = Int(overlap * target.threshold / 4)
                return [Array(walk[...(walk.count / 2)]), Array(walk[(walk.count / 2 - back)...])]
            }
            let score = score(strokes, target)
            #expect(score.isAccepted, "\(overlap) \(score.reasons)")
            #expect(score.reasons == [.extraStrokes(target.paths.count)])
        }
    }

    @Test(arguments: TraceSettings.Mode.allCases) func anotherLetterIsRefused(mode: TraceSettings.Mode) throws {
        let pairs = Self.glyphs.flatMap { drawn in
            // An I without bars is an l.
            Self.glyphs.filter { $0.character != drawn.character && $0.curves != drawn.curves }
                .map { (drawn: drawn, expected: $0) }
        }
        let similar =
            ["ao", "QO", "OQ", "dq", "qg", "gq", "EF", "FE", "GC", "CG", "RP", "PR", "yv", "hn", "nh", "il"]
            + ["äa", "aä", "åa", "çc", "cç", "ée", "ñn", "nñ", "öo", "øo", "oø", "üu", "ÖO", "ßB"]
        let chosen = pairs.filter { similar.contains($0.drawn.name + $0.expected.name) }
        for (drawn, expected) in chosen + sample(of: pairs, "other letters \(mode)", 40) {
            let strokes = try target(drawn, mode).paths.map { $0.walked(step: 8) }
            let score = score(strokes, try target(expected, mode))
            #expect(!score.isAccepted, "\(drawn.name) on \(expected.name)")
        }
    }

    /// A line that closes the gap of a letter is a small share of it, but makes another letter of it.
    @Test(arguments: ["c", "C", "G", "6", "S"]) func aLineThatClosesAGapIsRefused(letter: String) throws {
        let target = try target(try #require(Alphabet.glyph(letter)), .free)
        let path = target.paths[0]
        for end in [path.points[0], path.points[path.points.count / 3]] {
            let line = Segment(try #require(path.points.last), end)
            guard (1 - target.index.share(inside: line)) * line.length > 2.2 * target.threshold else { continue }
            expectRefused(score([path.points + [end]], target), letter)
        }
        // A finger that trembles beside the edge, or that overshoots a little, draws the same letter.
        for distance in [0.5, 1.5] {
            let beyond = try #require(path.points.last) + TracePoint(-distance * target.threshold, 0)
            let trembling = (0..<40).map { beyond + TracePoint(0, $0.isMultiple(of: 2) ? 2 : -2) }
            #expect(score([path.points + trembling], target).isAccepted, "\(letter) \(distance)")
        }
    }

    /// The legs of a V are so near each other at its tip that each might draw a part of the other.
    @Test(arguments: ["V", "v", "M"]) func aTipIsDrawn(letter: String) throws {
        let target = try target(try #require(Alphabet.glyph(letter)), .free)
        let strokes = target.paths.map { path -> [[TracePoint]] in
            let tips = path.points.dropFirst().dropLast()
            let walk = path.walked(step: 3)
            let ends = walk.split { point in tips.contains { $0.distance(to: point) < 1.2 * target.threshold } }
            return ends.map(Array.init)
        }
        expectRefused(score(strokes.flatMap(\.self), target), letter)
    }

    @Test(arguments: TraceSettings.Mode.allCases) func marksBesideTheLetterAreRefused(mode: TraceSettings.Mode) throws {
        for glyph in someGlyphs("marks \(mode)", 8) {
            let target = try target(glyph, mode)
            let strokes = target.paths.map { $0.walked(step: 8) }
            let tap = [TracePoint(6, 394)]
            #expect(score(strokes + [tap], target).isAccepted, "\(glyph.name)")
            expectRefused(score(strokes + [tap, [TracePoint(20, 394)]], target), glyph.name)
            expectRefused(score(strokes + [[TracePoint(6, 394), TracePoint(60, 394)]], target), glyph.name)
            expectRefused(score(strokes + Array(repeating: [strokes[0][0]], count: 60), target), glyph.name)
        }
    }

    @Test(arguments: TraceSettings.Mode.allCases) func everyWayToDrawALetterIsRight(mode: TraceSettings.Mode) throws {
        let joined = ["R", "D", "N", "8"].compactMap(Alphabet.glyph)
        for glyph in joined + someGlyphs("ways \(mode)", 10) {
            let target = try target(glyph, mode)
            for (index, order) in target.orders.enumerated() {
                let score = score(target.strokes(of: order).map { $0.walked(step: 8) }, target)
                let reasons = score.reasons.filter { if case .extraStrokes = $0 { false } else { true } }
                #expect(score.isAccepted && reasons.isEmpty, "\(glyph.name), order \(index)")
            }
        }
    }

    @Test(arguments: ["b", "h", "m", "n", "p", "r"]) func thePenMayBeLiftedBeforeARetrace(letter: String) throws {
        let target = try target(try #require(Alphabet.glyph(letter)), .ordered)
        let points = target.paths[0].points
        let turns = points.indices.dropFirst().dropLast().filter { index in
            (points[index] - points[index - 1]).dot(points[index + 1] - points[index]) < 0
                && points[index].distance(to: points[index + 1]) > 20
        }
        // Without the pieces that go back from each turn.
        var strokes: [[TracePoint]] = []
        var start = 0
        for turn in turns {
            strokes.append(TracePath(points: Array(points[start...turn])).walked(step: 6))
            start = turn + 1
        }
        strokes.append(TracePath(points: Array(points[start...])).walked(step: 6))
        let session = TraceSession.drawing(strokes, on: target)
        #expect(strokes.count > 1 && session.isComplete && TraceScore(session).isAccepted)
        #expect(session.lines.allSatisfy { $0.verdict == .onPath })
    }

    @Test(arguments: ["d", "g", "b", "6", "q"]) func aBowlDrawnTheWrongWayRoundHasAReason(letter: String) throws {
        let target = try target(try #require(Alphabet.glyph(letter)), .free)
        let path = target.paths[0]
        let walk = path.walked(step: 4)
        // The bowl starts or ends the path, and is as long as a circle.
        let bowl = Int(Double(walk.count) * min(0.7, 140 * 2.5 / path.length))
        let turned =
            ["b", "6"].contains(letter)
            ? walk[..<(walk.count - bowl)] + walk[(walk.count - bowl)...].reversed()
            : walk[..<bowl].reversed() + walk[bowl...]
        let score = score([Array(turned)], target)
        #expect(
            score.reasons.contains(.outOfOrder(path: 0)) || score.reasons.contains(.backwards(path: 0)),
            "\(score.reasons)")
    }

    @Test func anOFromTheFootHasAReasonAndIsAccepted() throws {
        let target = try target(try #require(Alphabet.glyph("O")), .free)
        let walk = target.paths[0].walked(step: 4)
        let score = score([Array(walk[(walk.count / 2)...] + walk[...(walk.count / 2)])], target)
        #expect(score.isAccepted && score.reasons == [.outOfOrder(path: 0)])
    }

    /// Samples of a finger that rests for some time, rounded to pixels.
    private func rest(at place: TracePoint, pixels: Double, seconds: Int = 5) -> [TracePoint] {
        var state: UInt32 = 7
        func offset() -> Double {
            state = state &* 1_664_525 &+ 1_013_904_223
            return (Double(state >> 16) / 32768 - 1) * pixels
        }
        return (0..<60 * seconds).map { _ in
            TracePoint((place.x + offset()).rounded(), (place.y + offset()).rounded())
        }
    }

    /// A rest of some pixels at a share of each stroke and a distance to its side, in thresholds.
    @Test(arguments: [(2.0, 0.5, 0.0, 5), (2, 0.3, 0.7, 5), (3, 0.5, 0, 5), (2, 0.6, 0, 60), (1, 0.5, 1.2, 5)])
    func aRestingFingerChangesNothing(pixels: Double, share: Double, side: Double, seconds: Int) throws {
        for glyph in someGlyphs("rest \(pixels) \(side)", 12) {
            // Beside its guide, a stroke may meet the guide of the next one, which is out of order.
            let settings = TraceSettings(mode: side > 1 ? .free : .ordered)
            var quiz = TraceQuiz(glyphs: [glyph], settings: settings, size: TraceSize(160, 200))
            for path in try #require(quiz.surface.session).target.paths where path.length > 0 {
                let threshold = try #require(quiz.surface.session).target.threshold
                let walk = path.walked(step: 4)
                let index = min(Int(Double(walk.count) * share), walk.count - 2)
                let along = walk[index + 1] - walk[index]
                // The way off a short stroke and back is a large part of it.
                let distance = path.length > 10 * threshold ? side * threshold : 0
                let across = TracePoint(-along.y, along.x) * (distance / along.length)
                quiz.begin(at: walk[0])
                for point in walk[...index] { quiz.move(to: point) }
                for point in rest(at: walk[index] + across, pixels: pixels, seconds: seconds) { quiz.move(to: point) }
                for point in walk[(index + 1)...] { quiz.move(to: point) }
                let isMistake = quiz.end()
                #expect(!isMistake, "\(glyph.name)")
            }
            for path in try #require(quiz.surface.session).target.paths where path.length == 0 {
                quiz.begin(at: path.points[0])
                quiz.end()
            }
            let score = TraceScore(try #require(quiz.surface.session))
            #expect(score.isAccepted, "\(glyph.name) \(score.reasons)")
        }
    }

    /// The pen is near all of a stroke that is shorter than its guide is wide.
    @Test(arguments: [0.3, 0.9, 1.2, 1.6, 1.9, 2.2, 3, 6], [false, true]) func aStrokeIsJudgedTheSameEverywhere(
        length: Double, isReversed: Bool
    ) throws {
        let path = TracePath(points: [TracePoint(160, 100), TracePoint(160, 100 + 20 * length)])
        let glyph = Glyph(
            name: "dash", curves: [Curve(at: path.points[0]).line(to: path.points[1])],
            box: TraceRect(x: 0, y: 0, width: 320, height: 400))
        var quiz = TraceQuiz(
            glyphs: [glyph], settings: TraceSettings(threshold: 20, mode: .ordered), size: TraceSize(320, 400))
        let walk = isReversed ? path.reversed().walked(step: 2) : path.walked(step: 2)
        quiz.begin(at: walk[0])
        for point in walk { quiz.move(to: point) }
        let isMistake = quiz.end()
        let session = try #require(quiz.surface.session)
        let isRight = !isReversed
        #expect(session.isComplete == isRight && isMistake == !isRight && TraceScore(session).isAccepted == isRight)
        #expect(session.lines.allSatisfy { $0.verdict == .onPath } == isRight)
    }

    @Test func lenientLimitsAcceptWhatStrictOnesRefuse() throws {
        let walk = try target(try #require(Alphabet.glyph("l")), .free).paths[0].walked(step: 8)
        var accepted: [Double: Int] = [:]
        for leniency in [0, 0.5, 1] {
            let settings = TraceSettings(leniency: leniency)
            let target = try #require(Alphabet.glyph("l")).target(in: TraceSize(320, 400), settings: settings)
            for shift in 0..<19 {
                let score = score([walk.map { TracePoint($0.x + Double(shift) + 0.5, $0.y) }], target)
                if score.isAccepted { accepted[leniency, default: 0] += 1 }
            }
        }
        #expect(accepted == [0: 8, 0.5: 12, 1: 16])
        var limits = StrokeGrade.Limits()
        limits.deviation = 0.1
        let session = TraceSession.drawing(
            [walk.map { TracePoint($0.x + 5, $0.y) }], on: try target(try #require(Alphabet.glyph("l")), .free))
        #expect(TraceScore(session).isAccepted && !TraceScore(session, limits: limits).isAccepted)
        #expect(TraceScore(session, limits: limits).points < TraceScore.leastAcceptedPoints)
    }

    @Test func anOrderOfJoinedStepsAndPartsRoundTrips() throws {
        let letters = Self.glyphs.flatMap(\.orders)
        #expect(letters.contains { $0.steps.contains(where: \.isJoined) })
        #expect(letters.allSatisfy { order in order.draws(paths: (order.steps.map(\.path).max() ?? 0) + 1) })
        func parts(_ parts: [ClosedRange<Double>]) -> Bool {
            StrokeOrder(parts.map { StrokeOrder.Step(path: 0, part: $0) }).draws(paths: 1)
        }
        #expect(parts([0...1]) && parts([0.3...1, 0...0.3]) && parts([0.5...0.8, 0...0.5, 0.8...1]))
        #expect(!parts([]) && !parts([0...1, 0...1]) && !parts([0...0.5, 0...0.5]) && !parts([0...0.3, 0.4...1]))
        #expect(!parts([0.5...1]) && !parts([0...0.6, 0.6...0.6, 0.6...1]) && !parts([0...0.9]))
        let plain = Alphabet.glyph("E")?.permitting { $0.steps.allSatisfy { !$0.isJoined } }
        #expect(plain?.alternatives.isEmpty == false && plain?.alternatives.contains { $0.steps[1].isJoined } == false)
    }
}
