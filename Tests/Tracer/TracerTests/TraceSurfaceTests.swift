import TestSupport
import Testing
import Tracer

@Suite struct TraceSurfaceTests {
    private let glyph = Alphabet.uppercase[19]

    private func drawn(_ size: TraceSize) throws -> TraceSurface {
        var surface = TraceSurface(glyph: glyph, size: size)
        let path = try #require(surface.session?.target.paths.first)
        surface.withSession { $0.draw(path.walked(step: 5)) }
        return surface
    }

    @Test func anEmptyViewHasNoSessionAndNoProblem() {
        for size in [TraceSize(0, 0), TraceSize(-5, 100), TraceSize(.nan, 100), TraceSize(.infinity, 1)] {
            let surface = TraceSurface(glyph: glyph, size: size)
            #expect(surface.session == nil && surface.problem == nil)
        }
    }

    @Test func resizingTransformsTheStrokes() throws {
        var surface = try drawn(TraceSize(300, 400))
        let before = try #require(surface.session)
        surface.resize(to: TraceSize(0, 0))
        surface.resize(to: TraceSize(900, 700))
        let after = try #require(surface.session)
        #expect(after.strokes.count == 1)
        #expect(after.lines.allSatisfy { $0.verdict == .onPath })
        #expect(abs(after.pathCoverage[0] - 1) < 1e-9 && abs(before.pathCoverage[0] - 1) < 1e-9)
        surface.resize(to: TraceSize(300, 400))
        let back = try #require(surface.session)
        for (one, other) in zip(back.strokes[0].samples, before.strokes[0].samples) {
            #expect(one.point.distance(to: other.point) < 1e-9)
        }
    }

    @Test func aTouchContinuesAfterARotation() throws {
        var surface = TraceSurface(glyph: glyph, size: TraceSize(300, 400))
        let start = try #require(surface.session?.target.paths[0].points[0])
        surface.withSession { $0.begin(at: start, touch: 3) }
        surface.resize(to: TraceSize(400, 300))
        let end = try #require(surface.session?.target.paths[0].points[1])
        let update = surface.withSession { $0.move(to: end, touch: 3) }
        #expect(update?.line?.verdict == .onPath)
        #expect(abs((surface.session?.pathCoverage[0] ?? 0) - 1) < 1e-9)
    }

    @Test func noInputTraps() {
        let step = zip(Generator<Int>.integer(in: 0...7), .anyPoint, .anyDouble)
        let modes = Generator<TraceSettings.Mode>.element(of: TraceSettings.Mode.allCases)
        checkProperty("no surface traps", zip(step.array(), modes, .element(of: Alphabet.all)), cases: 120) {
            steps, mode, glyph in
            var surface = TraceSurface(glyph: glyph, settings: TraceSettings(mode: mode), size: TraceSize(300, 400))
            for (action, point, number) in steps {
                switch action {
                case 0: surface.resize(to: TraceSize(point.x, point.y))
                case 1: surface.resize(to: TraceSize(abs(point.x), abs(point.y)))
                case 2: surface.apply(TraceSettings(threshold: .units(number), mode: mode, largestDetour: point.x))
                case 3: surface.apply(TraceSettings(mode: mode))
                case 4: surface.withSession { $0.begin(at: point, time: number) }
                case 5: surface.withSession { $0.undo() }
                default: surface.withSession { $0.move(to: point, time: number) }
                }
            }
            guard let session = surface.session else { return true }
            let score = TraceScore(session)
            let list = TracePicture().displayList(of: session, size: surface.size)
            return (0...100).contains(score.points) && (0...1).contains(session.completion)
                && list.svg.hasSuffix("</svg>\n")
        }
    }

    @Test func newSettingsRejudgeAndANewGlyphIsEmpty() throws {
        var surface = try drawn(TraceSize(300, 400))
        surface.apply(TraceSettings(threshold: -1))
        #expect(surface.problem == .threshold(-1) && surface.session == nil)
        surface.apply(TraceSettings(threshold: 10))
        #expect(surface.problem == nil && surface.session != nil)
        surface.show(Alphabet.uppercase[0])
        #expect(surface.session?.lines.isEmpty == true)
    }
}
