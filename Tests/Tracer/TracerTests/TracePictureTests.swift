import TestSupport
import Testing

@testable import Tracer

@Suite struct TracePictureTests {
    private let size = TraceSize(320, 400)

    private func session(_ letter: String = "L") throws -> TraceSession {
        let target = try #require(Alphabet.glyph(letter)).target(in: size)
        return TraceSession.drawing([target.paths[0].points, [TracePoint(5, 5), TracePoint(300, 20)]], on: target)
    }

    /// Omits lines off the path, draws the others as boxes, and the guide as a thin line.
    private final class Drawing: TracePictureDelegate {
        let drawsItems: Bool

        init(drawsItems: Bool) { self.drawsItems = drawsItems }

        func picture(_ picture: TracePicture, colorOf line: TracedLine, as color: TracedLine.Color) -> TraceColor {
            TraceColor(1, 2, 3)
        }

        func picture(_ picture: TracePicture, shouldDraw line: TracedLine) -> Bool { line.verdict != .offPath }

        func picture(
            _ picture: TracePicture, itemsFor line: TracedLine, color: TraceColor
        ) -> [DisplayList.Item]? {
            drawsItems && line.start != line.end ? [.fill(polygon: [line.end], color: color)] : nil
        }

        func picture(_ picture: TracePicture, guideItemsFor target: TraceTarget) -> [DisplayList.Item]? {
            guard drawsItems else { return nil }
            return target.paths.map { .stroke(points: $0.points, width: 1, color: TraceColor(9, 9, 9)) }
        }
    }

    @Test func aDelegateOmitsAndColorsLines() throws {
        let session = try session()
        var picture = TracePicture()
        let standard = picture.displayList(of: session, size: size).items
        picture.delegate = Drawing(drawsItems: false)
        let items = picture.displayList(of: session, size: size).items
        let colors = items.compactMap { item -> TraceColor? in
            if case .stroke(_, picture.lineWidth, let color) = item { color } else { nil }
        }
        #expect(colors == [TraceColor(1, 2, 3)] && items.count == standard.count - 1)
        #expect(
            picture.displayList(of: session.target, size: size)
                == TracePicture().displayList(of: session.target, size: size))
    }

    @Test func aDelegateDrawsLinesAndTheGuide() throws {
        var picture = TracePicture()
        picture.keyPointColor = nil
        picture.cues = []
        picture.delegate = Drawing(drawsItems: true)
        let session = try session()
        let items = picture.displayList(of: session, size: size).items
        #expect(items.first == .stroke(points: session.target.paths[0].points, width: 1, color: TraceColor(9, 9, 9)))
        let fills = items.count { if case .fill(_, TraceColor(1, 2, 3)) = $0 { true } else { false } }
        #expect(fills == session.lines.count { $0.verdict == .onPath && $0.start != $0.end })
        // The guide, the boxes, and the tap at the start of the stroke.
        #expect(items.count == 1 + fills + 1)
    }

    @Test func theDefaultsOfADelegateChangeNothing() throws {
        final class Nothing: TracePictureDelegate {}
        let session = try session()
        for scheme in TracePicture.Scheme.allCases {
            var picture = TracePicture(scheme)
            let standard = picture.displayList(of: session, size: size)
            picture.delegate = Nothing()
            #expect(picture.displayList(of: session, size: size) == standard)
        }
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
