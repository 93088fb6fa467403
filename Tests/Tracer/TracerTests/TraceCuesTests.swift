import TestSupport
import Testing

@testable import Tracer

@Suite struct TraceCuesTests {
    private let size = TraceSize(320, 400)

    private func target(_ letter: String, _ mode: TraceSettings.Mode = .free) throws -> TraceTarget {
        try #require(Alphabet.glyph(letter)).target(in: size, settings: TraceSettings(mode: mode))
    }

    private func items(_ cues: TraceCues, _ target: TraceTarget) -> [DisplayList.Item] {
        var picture = TracePicture()
        picture.cues = cues
        return picture.displayList(of: TraceSession(target: target), size: size).items
    }

    @Test func eachCueCanBeSwitchedOff() throws {
        let target = try target("E", .ordered)
        let none = items([], target).count
        let counts: [(TraceCues, Int)] = [
            (.writingLines, 4), (.starts, 4), (.ends, 4), (.arrows, 4), (.numbers, 4), (.next, 2),
        ]
        for (cue, count) in counts {
            #expect(items(cue, target).count == none + count)
            // The arrow of the next point takes the place of the one at the first start.
            let covered = cue == .arrows || cue == .next ? 0 : 1
            #expect(items(.all.subtracting(cue), target).count == none + 22 - count - covered)
        }
    }

    /// The arrow of the next point is one of a kind: no other arrow lies on its shaft, in any state of the letter.
    @Test(arguments: Alphabet.all + Alphabet.alternates + Alphabet.accented)
    func theArrowOfTheNextPointIsNotDrawnTwice(glyph: Glyph) throws {
        var session = TraceSession(target: try target(glyph.name, .ordered))
        let unit = session.target.threshold
        var picture = TracePicture()
        picture.cues = [.arrows, .next]
        for path in session.target.pathsInOrder {
            let shafts = picture.displayList(of: session, size: size).items.compactMap { item -> TracePath? in
                guard case .strokes(let lines, _, picture.cueColor) = item else { return nil }
                return lines.first.map { TracePath(points: $0) }
            }
            if let next = shafts.last, session.expectedDirection != nil {
                for shaft in shafts.dropLast() {
                    let nearest = shaft.points.reduce(.infinity) { least, point in
                        next.segments.reduce(least) { min($0, $1.distance(to: point)) }
                    }
                    #expect(nearest > 0.3 * unit)
                }
            }
            session.draw(path.walked(step: 7))
        }
        #expect(session.isComplete)
    }

    @Test func aStrokeStartsAtItsDotAndEndsAtItsRing() throws {
        let target = try target("T")
        let picture = TracePicture()
        let dots = picture.cueItems(of: target, size: size).compactMap { item -> TracePoint? in
            if case .stroke(let points, _, picture.cueColor) = item { points.first } else { nil }
        }
        #expect(dots == target.paths.map { $0.points[0] })
        let rings = picture.cueItems(of: target, size: size).compactMap { item -> TracePoint? in
            guard case .stroke(let points, _, picture.endColor) = item else { return nil }
            return TraceRect(around: points)?.center
        }
        for (ring, path) in zip(rings, target.paths) {
            #expect(ring.distance(to: try #require(path.points.last)) < 1e-6)
        }
    }

    @Test(arguments: Alphabet.all + Alphabet.alternates + Alphabet.accented)
    func arrowsAndNumbersAreClearOfStartsAndEnds(glyph: Glyph) throws {
        let target = try glyph.target(in: size)
        let unit = target.threshold
        let picture = TracePicture()
        let items = picture.cueItems(of: target, size: size)
        let starts = target.paths.map { $0.points[0] }
        let ends = target.paths.compactMap { $0.length > 0 ? $0.points.last : nil }
        let arrows = items.compactMap { item -> [Segment]? in
            guard case .strokes(let lines, _, picture.cueColor) = item else { return nil }
            return lines.flatMap { TracePath(points: $0).segments }
        }
        func distance(_ arrow: [Segment], _ point: TracePoint) -> Double {
            arrow.map { $0.distance(to: point) }.min() ?? .infinity
        }
        #expect(arrows.count >= target.paths.count { $0.length > 3 * unit }, "\(glyph.name)")
        for arrow in arrows {
            // The line of an arrow is 0.16 thresholds wide, a dot has a radius of 0.52, and a ring of 0.73.
            #expect(starts.allSatisfy { distance(arrow, $0) > 0.65 * unit }, "\(glyph.name) starts")
            #expect(ends.allSatisfy { distance(arrow, $0) > 0.82 * unit }, "\(glyph.name) ends")
            // All of it is on the guide.
            #expect(arrow.allSatisfy { target.index.contains($0.start) && target.index.contains($0.end) })
        }
        for (index, arrow) in arrows.enumerated() {
            let points = arrow.flatMap { [$0.start, $0.end] }
            let others = arrows.indices.filter { $0 != index }
            #expect(
                others.allSatisfy { other in points.allSatisfy { distance(arrows[other], $0) > 0.2 * unit } },
                "\(glyph.name) arrows")
        }
        for item in items {
            guard case .number(let number, let center, _, _) = item else { continue }
            #expect(starts.allSatisfy { $0.distance(to: center) > 1.1 * unit }, "\(glyph.name) \(number)")
            #expect(ends.allSatisfy { $0.distance(to: center) > 1.2 * unit }, "\(glyph.name) \(number)")
            #expect(arrows.allSatisfy { distance($0, center) > 0.6 * unit }, "\(glyph.name) \(number)")
        }
    }

    /// Arrows in the order of the strokes: the directions of their tips, in the letters of a compass.
    @Test(arguments: [
        ("b", "v^/"), ("h", "v^/"), ("n", "v^/"), ("r", "v^/"), ("p", "v^/"), ("m", "v^/v^/"), ("d", "<^v"),
        ("a", "<^v"),
        ("q", "<^v"), ("g", "<^v"), ("u", "v^v"), ("T", "v>"), ("l", "v"),
    ])
    func retracedLettersShowDownUpAndRound(letter: String, expected: String) throws {
        let picture = TracePicture()
        let directions = try picture.cueItems(of: target(letter), size: size).compactMap { item -> Character? in
            guard case .strokes(let lines, _, picture.cueColor) = item, let shaft = lines.first, let tip = shaft.last
            else { return nil }
            let way = tip - shaft[0]
            let (x, y) = (abs(way.x), abs(way.y))
            if x > 0.5 * y, y > 0.5 * x, way.x > 0, way.y < 0 { return "/" }
            return x > y ? way.x > 0 ? ">" : "<" : way.y > 0 ? "v" : "^"
        }
        #expect(String(directions) == expected)
    }

    @Test func theWritingLinesDiffer() throws {
        let target = try target("g")
        #expect(Alphabet.glyph("g")?.baseline == 100)
        var picture = TracePicture()
        picture.cues = .writingLines
        let lines = picture.writingLineItems(of: target, size: size)
        let widths = lines.compactMap { if case .stroke(_, let width, _) = $0 { width } else { nil } }
        let dashed = lines.compactMap { if case .strokes(let dashes, _, _) = $0 { dashes } else { nil } }
        #expect(widths == [1.5, 3, 1.5] && dashed.count == 1)
        // Eight dashes and gaps fill the view.
        #expect(dashed[0].count == 8 && dashed[0].allSatisfy { TracePath(points: $0).length == 24 })
    }

    @Test(arguments: Alphabet.all + Alphabet.alternates + Alphabet.accented)
    func numbersAreBesideTheGuideAndApart(glyph: Glyph) throws {
        let target = try glyph.target(in: size)
        let numbers = TracePicture().cueItems(of: target, size: size).compactMap { item -> (Int, TracePoint)? in
            if case .number(let number, let center, _, _) = item { (number, center) } else { nil }
        }
        #expect(numbers.map(\.0) == Array(1...target.paths.count))
        let beginnings = target.paths.map { path in
            (0...8).compactMap { path.point(at: min(path.length, 0.3 * Double($0) * target.threshold)) }
        }
        for (number, center) in numbers {
            let start = target.paths[number - 1].points[0]
            #expect(center.distance(to: start) < 2.5 * target.threshold)
            // The beginning of its own stroke is clearly the nearest.
            let distances = beginnings.map { $0.map { $0.distance(to: center) }.min() ?? .infinity }
            let others = distances.indices.filter { $0 != number - 1 }.map { distances[$0] }
            #expect(others.allSatisfy { distances[number - 1] < 0.9 * $0 }, "\(glyph.name) \(number)")
            #expect(numbers.allSatisfy { $0.0 == number || $0.1.distance(to: center) > 18 })
            #expect((0...320).contains(center.x) && (0...400).contains(center.y))
        }
    }

    @Test func cuesFollowTheDirectionOfTheOrder() throws {
        let paths = [
            TracePath(points: [TracePoint(100, 100), TracePoint(100, 300)]),
            TracePath(points: [TracePoint(200, 100), TracePoint(200, 300)]),
        ]
        let order = StrokeOrder([StrokeOrder.Step(path: 1, isReversed: true), StrokeOrder.Step(path: 0)])
        let target = try TraceTarget(paths: paths, settings: TraceSettings(threshold: 20), orders: [order])
        let first = StrokeDemonstration(target).strokes.map { $0.samples[0].point }
        #expect(first == [TracePoint(200, 300), TracePoint(100, 100)])
        var picture = TracePicture()
        picture.cues = .numbers
        let numbers = picture.cueItems(of: target, size: size)
        #expect(
            numbers.first == .number(1, center: TracePoint(200, 329), height: 18, color: picture.cueColor))
    }

    @Test func theGuideIsTranslucentOverAnImage() throws {
        var picture = TracePicture()
        func alpha() throws -> [UInt8] {
            try picture.displayList(of: target("X"), size: size).items.compactMap { item in
                if case .strokes(_, 40, let color) = item { color.alpha } else { nil }
            }
        }
        #expect(try alpha() == [255])
        picture.backgroundImage = PNGImage.onePixel
        #expect(try alpha() == [153])
    }

    @Test func manyStrokesHaveNoNumbers() throws {
        let path = TracePath(points: [TracePoint(100, 100), TracePoint(100, 300)])
        let target = try TraceTarget(paths: Array(repeating: path, count: 100))
        #expect(
            !TracePicture().cueItems(of: target, size: size).contains { if case .number = $0 { true } else { false } })
    }

    @Test func aNumberHasTheShapesOfItsDigits() {
        let item = DisplayList.Item.number(14, center: TracePoint(50, 50), height: 20, color: TraceColor(0, 0, 0))
        guard case .strokes(let lines, _, _)? = item.shapes.first else {
            Issue.record("expected strokes")
            return
        }
        let bounds = TraceRect(around: lines.flatMap { $0 })
        #expect(lines.count == 3 && abs((bounds?.size.height ?? 0) - 20) < 1e-9)
        #expect((bounds?.center.distance(to: TracePoint(50, 50)) ?? 9) < 1e-9)
    }

    @Test func oddPathsHaveCues() {
        let path = Generator<TracePoint>.anyPoint.array(count: 0...4).map { TracePath(points: $0) }
        checkProperty("no cue traps", path.array(count: 0...3), cases: 300) { paths in
            guard let target = try? TraceTarget(paths: paths) else { return true }
            let list = TracePicture().displayList(of: target, size: TraceSize(320, 400))
            let demonstration = StrokeDemonstration(target)
            _ = demonstration.lines(at: demonstration.duration / 2)
            return list.svg.hasSuffix("</svg>\n") && demonstration.duration >= 0
        }
    }
}

extension PNGImage {
    /// The head of a PNG file of one pixel.
    fileprivate static let onePixel = PNGImage(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
            + [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0, 0, 0, 0])
}

@Suite struct StrokeDemonstrationTests {
    private let size = TraceSize(320, 400)

    @Test(arguments: Alphabet.all + Alphabet.alternates + Alphabet.accented)
    func theDemonstrationIsACorrectTrace(glyph: Glyph) throws {
        let target = try glyph.target(in: size, settings: TraceSettings(mode: .ordered))
        var session = TraceSession(target: target)
        session.replay(StrokeDemonstration(target).strokes)
        #expect(session.isComplete && session.lines.allSatisfy { $0.verdict == .onPath })
    }

    @Test func thePenMovesAtItsSpeed() throws {
        let target = try #require(Alphabet.glyph("T")).target(in: size)
        let demonstration = StrokeDemonstration(target, speed: 8, pause: 0.5)
        let length = target.paths.reduce(0) { $0 + $1.length }
        #expect(abs(demonstration.duration - (length / 160 + 0.5)) < 1e-9)
        #expect(demonstration.lines(at: -1).isEmpty)
        let early = demonstration.lines(at: 0.25)
        #expect(early.count == 1 && abs(TracePath(points: early[0]).length - 40) < 1e-9)
        // In the pause the first stroke is finished, and the pen waits at its end.
        let pause = demonstration.lines(at: target.paths[0].length / 160 + 0.25)
        #expect(pause == [target.paths[0].points])
        #expect(demonstration.lines(at: .infinity).count == 2)
    }

    @Test func aFrameHasThePen() throws {
        let target = try #require(Alphabet.glyph("l")).target(in: size)
        let demonstration = StrokeDemonstration(target)
        let picture = TracePicture()
        let frames = [0, 0.5, demonstration.duration].map {
            picture.displayList(of: demonstration, at: $0, on: target, size: size).items.count
        }
        #expect(frames[0] == frames[1] && frames[2] == frames[1] - 1)
    }
}

@Suite struct ReplayTests {
    @Test func linesTurnGreenWhenTheTraceIsComplete() throws {
        let size = TraceSize(320, 400)
        let target = try #require(Alphabet.glyph("T")).target(in: size)
        var session = TraceSession(target: target)
        let strokes = StrokeDemonstration(target, speed: 8, pause: 0.5).strokes
        session.replay(Array(strokes.prefix(1)))
        #expect(session.completionLine == nil)
        #expect(!TracePicture().replaySVG(of: session, size: size).contains("class=\"line done\""))
        session.replay(Array(strokes.dropFirst()))
        let svg = TracePicture().replaySVG(of: session, size: size)
        let index = try #require(session.completionLine)
        #expect(session.lines[index].stroke == 1 && session.lines.count == index + 1)
        // Black at first, and green from the time at which the second stroke is complete.
        #expect(svg.contains("stroke=\"#212529\""))
        #expect(svg.contains("--done:#2ea043;animation-delay:0s,"))
        session.undo()
        #expect(session.completionLine == nil)
    }
}
