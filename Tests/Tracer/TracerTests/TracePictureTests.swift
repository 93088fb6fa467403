import TestSupport
import Testing

@testable import Tracer

@Suite struct TracePictureTests {
    private let size = TraceSize(320, 400)

    private func session(_ letter: String = "L") throws -> TraceSession {
        let target = try #require(Alphabet.glyph(letter)).target(in: size)
        return TraceSession.drawing([target.paths[0].points, [TracePoint(5, 5), TracePoint(300, 20)]], on: target)
    }

    @Test func aLineMayBeOmittedOrColored() throws {
        var picture = TracePicture()
        picture.color = { line, color in line.verdict == .offPath ? nil : TraceColor(1, 2, 3) }
        let items = try picture.displayList(of: session(), size: size).items
        let colors = items.compactMap { item -> TraceColor? in
            if case .stroke(_, picture.lineWidth, let color) = item { color } else { nil }
        }
        #expect(!colors.isEmpty && colors.allSatisfy { $0 == TraceColor(1, 2, 3) })
    }

    @Test func linesAndExpectedPathsMayBeDrawnInAnotherWay() throws {
        var picture = TracePicture()
        picture.star = nil
        picture.cues = []
        picture.drawExpected = { target in
            target.paths.map { .stroke(points: $0.points, width: 1, color: TraceColor(9, 9, 9)) }
        }
        picture.drawLine = { line, color in
            line.verdict == .offPath
                ? [] : line.segment.length == 0 ? nil : [.fill(polygon: [line.segment.end], color: color)]
        }
        let session = try session()
        let items = picture.displayList(of: session, size: size).items
        #expect(items.first == .stroke(points: session.target.paths[0].points, width: 1, color: TraceColor(9, 9, 9)))
        let fills = items.count { if case .fill = $0 { true } else { false } }
        #expect(fills == session.lines.count { $0.verdict == .onPath && $0.segment.length > 0 })
        #expect(items.count == 1 + fills + 1)
    }

    @Test func theGuideIsRedrawnOnlyWhenItChanges() throws {
        // Views draw the guide and the lines separately; together they are the picture.
        let session = try session()
        var picture = TracePicture()
        let whole = picture.displayList(of: session, size: size).items
        #expect(picture.displayList(of: session.target, size: size).items + picture.lines(of: session) == whole)
        #expect(picture.hasSameGuide(as: TracePicture()))
        picture.lineWidth = 9
        #expect(picture.hasSameGuide(as: TracePicture()))
        picture.guide = TraceColor(1, 1, 1)
        #expect(!picture.hasSameGuide(as: TracePicture()))
        var surface = TraceSurface(glyph: Alphabet.capitals[0], size: size)
        let before = surface
        surface.withSession { $0.begin(at: TracePoint(10, 10)) }
        #expect(surface.hasSameTarget(as: before))
        surface.resize(to: TraceSize(100, 100))
        #expect(!surface.hasSameTarget(as: before))
    }

    @Test func anyRectanglesHaveAMap() {
        let number = Generator<Double>.anyDouble
        let rect = zip(number, number, number, number).map { TraceRect(x: $0, y: $1, width: $2, height: $3) }
        checkProperty("no fit traps", zip(rect, rect, .anyPoint), cases: 500) { content, frame, point in
            _ = TraceTransform.aspectFit(content, into: frame).apply(to: point)
            return true
        }
    }

    @Test func onlyPNGFilesAreImages() {
        checkProperty("no image traps", Generator.bytes(count: 0...60)) { bytes in
            let signature: [UInt8] = [
                0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
            ]
            guard let image = PNGImage(signature + bytes) else { return true }
            return (1...PNGImage.largestSide).contains(image.width) && (1...PNGImage.largestSide).contains(image.height)
        }
    }
}
