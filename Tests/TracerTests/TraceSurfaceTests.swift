import TestSupport
import Testing
import Tracer

@Suite struct TraceSurfaceTests {
    private let glyph = Alphabet.capitals[19]

    private func drawn(_ size: Size) throws -> TraceSurface {
        var surface = TraceSurface(glyph: glyph, size: size)
        let path = try #require(surface.session?.target.paths.first)
        surface.withSession { $0.draw(path.walked(step: 5)) }
        return surface
    }

    @Test func withoutRoomThereIsNoSessionAndNoProblem() {
        for size in [Size(0, 0), Size(-5, 100), Size(.nan, 100), Size(.infinity, 1)] {
            let surface = TraceSurface(glyph: glyph, size: size)
            #expect(surface.session == nil && surface.problem == nil)
        }
    }

    @Test func resizingMovesWhatIsDrawnAlong() throws {
        var surface = try drawn(Size(300, 400))
        let before = try #require(surface.session)
        surface.resize(to: Size(0, 0))
        surface.resize(to: Size(900, 700))
        let after = try #require(surface.session)
        #expect(after.strokes.count == 1)
        #expect(after.lines.allSatisfy { $0.verdict == .onPath })
        #expect(abs(after.pathCoverage[0] - 1) < 1e-9 && abs(before.pathCoverage[0] - 1) < 1e-9)
        surface.resize(to: Size(300, 400))
        let back = try #require(surface.session)
        for (one, other) in zip(back.strokes[0].samples, before.strokes[0].samples) {
            #expect(one.point.distance(to: other.point) < 1e-9)
        }
    }

    @Test func aTouchGoesOnThroughARotation() throws {
        var surface = TraceSurface(glyph: glyph, size: Size(300, 400))
        let start = try #require(surface.session?.target.paths[0].points[0])
        surface.withSession { $0.begin(at: start, touch: 3) }
        surface.resize(to: Size(400, 300))
        let end = try #require(surface.session?.target.paths[0].points[1])
        let update = surface.withSession { $0.move(to: end, touch: 3) }
        #expect(update?.line?.verdict == .onPath)
        #expect(abs((surface.session?.pathCoverage[0] ?? 0) - 1) < 1e-9)
    }

    @Test func settingsRejudgeAndAnotherGlyphIsEmpty() throws {
        var surface = try drawn(Size(300, 400))
        surface.apply(TraceSettings(threshold: -1))
        #expect(surface.problem == .threshold(-1) && surface.session == nil)
        surface.apply(TraceSettings(threshold: 10))
        #expect(surface.problem == nil && surface.session != nil)
        surface.show(Alphabet.capitals[0])
        #expect(surface.session?.lines.isEmpty == true)
    }
}
