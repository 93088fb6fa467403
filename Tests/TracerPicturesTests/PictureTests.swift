import Processes
import TestSupport
import Testing
import Tracer
import TracerPictures

/// A picture with everything in it: a wide guide, stars, lines in three colours, a see-through one, a dot.
private func samplePicture() throws -> DisplayList {
    let target = try #require(Alphabet.glyph("R")).target(in: Size(160, 200), settings: TraceSettings(threshold: 10))
    var session = TraceSession(target: target)
    session.replay([
        Recording.Stroke(samples: target.paths[1].points.map { Recording.Sample($0) }),
        Recording.Stroke(samples: [Point(20, 30), Point(150, 180)].map { Recording.Sample($0) }),
    ])
    session.begin(at: Point(80, 190))
    var list = TracePicture().displayList(of: session, size: Size(160, 200))
    list.items.append(.fill(polygon: [Point(5, 5), Point(60, 8), Point(30, 50)], color: Color(0, 0, 255, alpha: 128)))
    list.items.append(.stroke(points: [Point(10, 120), Point(150, 60)], width: 0.5, color: Color(0, 0, 0)))
    return list
}

@Suite struct PictureTests {
    @Test func theSVGIsTheSameByteForByte() throws {
        try expectGolden(samplePicture().svg, "sample.svg")
    }

    @Test(arguments: CellPicture.Form.allCases, [false, true]) func cellsAreTheSame(
        form: CellPicture.Form, isColored: Bool
    ) throws {
        let picture = CellPicture(try samplePicture(), columns: 40, form: form, isColored: isColored)
        let text = picture.lines.joined(separator: "\n").replacing("\u{1B}", with: "ESC") + "\n"
        expectGolden(text, "cells-\(form)\(isColored ? "-color" : "").txt")
    }

    @Test func aPNGReadsBackAsItsPixels() throws {
        let canvas = Canvas(try samplePicture(), scale: 1.5)
        let image = try PNGReader(PNG.encode(canvas))
        #expect(image.width == 240 && image.height == 300)
        #expect(image.pixels == canvas.pixels)
    }

    @Test func transparencySurvives() throws {
        var list = try samplePicture()
        list.background = nil
        let canvas = Canvas(list)
        let image = try PNGReader(PNG.encode(canvas))
        #expect(image.pixels[3] == 0)
        let solid = stride(from: 3, to: image.pixels.count, by: 4).filter { canvas.pixels[$0] == 255 }
        #expect(!solid.isEmpty)
        #expect(solid.allSatisfy { image.pixels[$0 - 1] == canvas.pixels[$0 - 1] })
    }

    static let converter = "/usr/bin/rsvg-convert"

    /// Another renderer draws our SVG; our own PNG has to look the same.
    @Test(.enabled(if: hasTool("rsvg-convert"), "needs librsvg2-bin"), arguments: [1.0, 2, 3.5])
    func thePNGLooksLikeTheSVG(scale: Double) throws {
        let list = try samplePicture()
        let folder = try TemporaryDirectory()
        try folder.write(list.svg, to: "picture.svg")
        let command = Command(
            Self.converter, ["-z", "\(scale)", "-o", "\(folder.path)/picture.png", "\(folder.path)/picture.svg"],
            environment: ["HOME": folder.path])
        #expect(try ChildRunner().run(command, limits: RunLimits(timeout: .seconds(30))) { _, _ in }.succeeded)
        let expected = try PNGReader(contents(of: "\(folder.path)/picture.png"))
        let found = try PNGReader(PNG.encode(Canvas(list, scale: scale)))
        try #require(found.width == expected.width && found.height == expected.height)
        let differences = zip(found.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(differences.count)
        #expect(mean < 0.5, "mean difference \(mean) of 255")
        let far = Double(differences.count { $0 > 64 }) / Double(differences.count)
        #expect(far < 0.001, "\(far) of the values differ by more than a quarter")
    }

    @Test func drawingALineTouchesNothingElse() throws {
        var canvas = Canvas(size: Size(100, 100))
        canvas.fill(with: Color(255, 255, 255))
        let before = canvas.pixels
        canvas.draw(.stroke(points: [Point(20, 20), Point(30, 25)], width: 4, color: Color(0, 0, 0)))
        let changed = stride(from: 0, to: before.count, by: 4).filter { before[$0] != canvas.pixels[$0] }.map { $0 / 4 }
        #expect(!changed.isEmpty)
        #expect(changed.allSatisfy { (17...33).contains($0 % 100) && (17...28).contains($0 / 100) })
    }

    @Test func noPictureTraps() {
        let place = zip(Generator<Double>.anyDouble, Generator<Double>.anyDouble).map { Point($0, $1) }
        let item: Generator<DisplayList.Item> = .oneOf([
            zip(place.array(count: 0...5), .anyDouble).map { .stroke(points: $0, width: $1, color: Color(1, 2, 3)) },
            place.array(count: 0...5).map { .fill(polygon: $0, color: Color(1, 2, 3)) },
        ])
        let side = Generator<Double>.oneOf([.real(in: -10...60), .element(of: [.nan, .infinity, 0])])
        // No side is as large as it may be: 16,384 pixels squared are too much for a test.
        let size = zip(side, side).map { Size($0 == .infinity ? 60 : $0, $1 == .infinity ? 60 : $1) }
        checkProperty("no picture traps", zip(item.array(count: 0...4), size), cases: 300) { items, size in
            let list = DisplayList(size: size, background: Color(9, 9, 9), items: items)
            let canvas = Canvas(list)
            let cells = CellPicture(list, columns: 20, form: .braille, isColored: false)
            return !list.svg.isEmpty && !PNG.encode(canvas).isEmpty && !cells.lines.isEmpty
        }
    }
}
