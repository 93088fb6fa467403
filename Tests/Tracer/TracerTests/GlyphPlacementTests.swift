import TestSupport
import Testing

@testable import Tracer

@Suite struct GlyphPlacementTests {
    private func target(_ name: String, _ size: TraceSize = TraceSize(320, 400)) throws -> TraceTarget {
        try #require(Alphabet.glyph(name)).target(in: size)
    }

    private func bounds(_ target: TraceTarget) throws -> TraceRect {
        try #require(TraceRect(around: target.paths.flatMap { $0.points }))
    }

    @Test(arguments: ["o", "x", "s", "v", "w", "z", "c", "k", "u"]) func aSmallLetterIsNoCapital(letter: String) throws
    {
        let (small, capital) = (try target(letter), try target(letter.uppercased()))
        #expect(small.threshold == capital.threshold && small.writingLines == capital.writingLines)
        #expect(try bounds(small).size.height <= bounds(capital).size.height)
        let session = TraceSession.drawing(small.paths.map { $0.walked(step: 5) }, on: capital)
        #expect(!session.isComplete && !TraceScore(session).isAccepted)
    }

    /// A hyphen, an underscore and a dot in the box of a font.
    @Test func theHeightInTheBoxMatters() throws {
        let box = TraceRect(x: 0, y: 0, width: 100, height: 100)
        func target(_ curve: Curve) throws -> TraceTarget {
            try Glyph(name: "", curves: [curve], box: box).target(in: TraceSize(200, 200))
        }
        let hyphen = try target(Curve(at: TracePoint(20, 60)).line(to: TracePoint(80, 60)))
        let underscore = try target(Curve(at: TracePoint(20, 90)).line(to: TracePoint(80, 90)))
        let dot = try target(Curve(at: TracePoint(50, 90)))
        #expect(hyphen.paths[0].points == [TracePoint(40, 120), TracePoint(160, 120)])
        #expect(underscore.paths[0].points == [TracePoint(40, 180), TracePoint(160, 180)])
        #expect(!TraceSession.drawing([hyphen.paths[0].points], on: underscore).isComplete)
        #expect(dot.threshold == 12.5 && dot.paths[0].points == [TracePoint(100, 180)])
        #expect(TraceSession.drawing([[TracePoint(100, 180)]], on: dot).isComplete)
        #expect(!TraceSession.drawing([[TracePoint(100, 120)]], on: dot).isComplete)
    }

    @Test(arguments: [
        TraceSize(320, 400), TraceSize(1000, 90), TraceSize(50, 50), TraceSize(41, 2000), TraceSize(1, 1),
    ])
    func aGuideFitsIntoAnyView(size: TraceSize) throws {
        let widths: [TraceSettings.Threshold] = [.standard, .share(0.02), .share(0.11), .share(3), 1, 20, 30, 1e6]
        for (index, threshold) in widths.enumerated() {
            let letters = Alphabet.all.indices.filter { $0 % 3 == index % 3 }.map { Alphabet.all[$0] }
            for glyph in letters + [Glyph(name: "", curves: [Alphabet.all[0].curves[0]])] {
                let target = try glyph.target(in: size, settings: TraceSettings(threshold: threshold))
                let bounds = try bounds(target)
                let room = target.threshold * (1 - 1e-9)
                #expect(bounds.origin.x >= room && bounds.origin.y >= room, "\(glyph.name) \(threshold)")
                #expect(bounds.maximum.x <= size.width - room && bounds.maximum.y <= size.height - room)
            }
        }
    }

    @Test func theThresholdIsAShareOfTheBoxOrADistance() throws {
        let size = TraceSize(320, 400)
        func threshold(_ settings: TraceSettings.Threshold) throws -> Double {
            try Alphabet.uppercase[19].target(in: size, settings: TraceSettings(threshold: settings)).threshold
        }
        #expect(try threshold(.standard) == 20 && threshold(.share(1 / 32)) == 10)
        #expect(try threshold(7) == 7 && threshold(2.5) == 2.5)
        // A recording of a standard trace has the same place again.
        let recorded = try Alphabet.uppercase[19].target(in: size, settings: TraceSettings(threshold: .units(20)))
        #expect(try recorded.paths == target("T").paths)
    }

    @Test func strokesBesideEachOtherReduceTheThreshold() throws {
        func threshold(_ gap: Double) throws -> Double {
            let bars = [0, gap].map { Curve(at: TracePoint(20, 50 + $0)).line(to: TracePoint(80, 50 + $0)) }
            let box = TraceRect(x: 0, y: 0, width: 100, height: 100)
            return try Glyph(name: "=", curves: bars, box: box).target(in: TraceSize(1600, 1600)).threshold
        }
        #expect(try threshold(20) == 100 && threshold(12.5) == 100)
        #expect(try abs(threshold(10) - 80) < 1e-9)
        #expect(try threshold(2) == 75 && threshold(0) == 75)
    }

    @Test(arguments: TraceSettings.Mode.allCases) func theSizeOfTheViewDoesNotMatter(mode: TraceSettings.Mode) {
        let size = Generator<Double>.element(of: [40, 320, 4000])
        let change = zip(Generator<Double>.real(in: -0.06...0.06), .real(in: -0.06...0.06)).array(count: 1...60)
        let generator = zip(Generator<Glyph>.element(of: Alphabet.all), change, size)
        checkProperty("scale", generator, cases: 30) { glyph, changes, side in
            func outcome(_ side: Double) throws -> ([TracedLine.Verdict], Bool, Bool, Int, [String]) {
                let target = try glyph.target(in: TraceSize(side, side), settings: TraceSettings(mode: mode))
                let strokes = target.paths.map { path in
                    (0...24).map { step -> TracePoint in
                        let (x, y) = changes[step % changes.count]
                        let point = path.point(at: path.length * Double(step) / 24) ?? .zero
                        return TracePoint(point.x + x * side, point.y + y * side)
                    }
                }
                let session = TraceSession.drawing(strokes, on: target)
                let score = TraceScore(session)
                return (
                    session.lines.map(\.verdict), session.isComplete, score.isAccepted, score.points,
                    score.reasons.map(\.description)
                )
            }
            return try outcome(side) == outcome(400)
        }
    }

    @Test(arguments: Alphabet.all.map(\.name)) func aResizedTraceStaysComplete(letter: String) throws {
        let glyph = try #require(Alphabet.glyph(letter))
        for mode in TraceSettings.Mode.allCases {
            var surface = TraceSurface(glyph: glyph, settings: TraceSettings(mode: mode), size: TraceSize(320, 400))
            let paths = try #require(surface.session).target.paths
            surface.withSession { session in
                for path in paths { session.draw(path.walked(step: 9).map { TracePoint($0.x + 11, $0.y - 6) }) }
            }
            let before = try #require(surface.session)
            for size in [TraceSize(768, 1024), TraceSize(1024, 768), TraceSize(200, 90)] {
                surface.resize(to: size)
                let after = try #require(surface.session)
                #expect(after.isComplete && after.completion == before.completion)
                #expect(after.lines.map(\.verdict) == before.lines.map(\.verdict))
            }
        }
    }

    @Test func aTapDrawsOnlyADot() throws {
        // The stroke is so short that the threshold around one of its points covers it.
        let stroke = Curve(at: TracePoint(50, 50)).line(to: TracePoint(53, 50))
        let box = TraceRect(x: 0, y: 0, width: 100, height: 100)
        for mode in TraceSettings.Mode.allCases {
            let target = try Glyph(name: "", curves: [stroke], box: box)
                .target(in: TraceSize(100, 100), settings: TraceSettings(mode: mode))
            var session = TraceSession(target: target)
            session.draw([TracePoint(51, 50)])
            #expect(!session.isComplete && session.completion == 0)
            session.draw([TracePoint(50, 50), TracePoint(53, 50)])
            #expect(session.isComplete)
        }
    }
}
