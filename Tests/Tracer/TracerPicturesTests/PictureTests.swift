import OperatingSystem
import TestSupport
import Testing
import Tracer
import TracerPictures

/// Returns a picture with all kinds of items: a guide, stars, lines in three colors, a translucent line, and a dot.
private func samplePicture() throws -> DisplayList {
    let target = try #require(Alphabet.glyph("R")).target(
        in: TraceSize(160, 200), settings: TraceSettings(threshold: 10))
    var session = TraceSession(target: target)
    session.replay([
        Recording.Stroke(samples: target.paths[1].points.map { Recording.Sample($0) }),
        Recording.Stroke(samples: [TracePoint(20, 30), TracePoint(150, 180)].map { Recording.Sample($0) }),
    ])
    session.begin(at: TracePoint(80, 190))
    var list = TracePicture().displayList(of: session, size: TraceSize(160, 200))
    list.items.append(
        .fill(
            polygon: [TracePoint(5, 5), TracePoint(60, 8), TracePoint(30, 50)], color: TraceColor(0, 0, 255, alpha: 128)
        ))
    list.items.append(
        .stroke(points: [TracePoint(10, 120), TracePoint(150, 60)], width: 0.5, color: TraceColor(0, 0, 0)))
    return list
}

@Suite struct PictureTests {
    @Test func svg() throws {
        try expectGolden(samplePicture().svg, "sample.svg")
    }

    @Test(arguments: CellPicture.Form.allCases, [false, true]) func cells(
        form: CellPicture.Form, isColored: Bool
    ) throws {
        let picture = CellPicture(try samplePicture(), columns: 40, form: form, isColored: isColored)
        let text = picture.lines.joined(separator: "\n").replacing("\u{1B}", with: "ESC") + "\n"
        expectGolden(text, "cells-\(form)\(isColored ? "-color" : "").txt")
    }

    @Test func anEncodedCanvasHasItsPixels() throws {
        let canvas = try Canvas(try samplePicture(), scale: 1.5)
        let image = try PNGReader(PNG.encode(canvas))
        #expect(image.width == 240 && image.height == 300)
        #expect(image.pixels == canvas.pixels)
    }

    @Test func transparencyIsEncoded() throws {
        var list = try samplePicture()
        list.background = nil
        let canvas = try Canvas(list)
        let image = try PNGReader(PNG.encode(canvas))
        #expect(image.pixels[3] == 0)
        let solid = stride(from: 3, to: image.pixels.count, by: 4).filter { canvas.pixels[$0] == 255 }
        #expect(!solid.isEmpty)
        #expect(solid.allSatisfy { image.pixels[$0 - 1] == canvas.pixels[$0 - 1] })
    }

    /// Returns a small picture with translucent items, as a PNG file.
    private func smallPicture(_ background: TraceColor?) throws -> PNGImage {
        var list = DisplayList(size: TraceSize(40, 30), background: background)
        list.items = [
            .stroke(points: [TracePoint(5, 5), TracePoint(35, 25)], width: 6, color: TraceColor(200, 30, 60)),
            .fill(
                polygon: [TracePoint(20, 2), TracePoint(38, 2), TracePoint(38, 14)],
                color: TraceColor(0, 90, 200, alpha: 120)),
        ]
        return try #require(PNGImage(PNG.encode(try Canvas(list))))
    }

    @Test(arguments: [nil, TraceColor(240, 230, 140)]) func aDecodedImageHasItsPixels(background: TraceColor?) throws {
        let image = try smallPicture(background)
        let pixels = try PNG.decode(image)
        #expect(pixels.width == 40 && pixels.height == 30 && image.width == 40 && image.height == 30)
        let expected = try PNGReader(image.data).pixels
        var straight: [UInt8] = []
        for (index, value) in expected.enumerated() {
            let alpha = Int(expected[index | 3])
            straight.append(index & 3 == 3 ? value : UInt8((Int(value) * alpha + 127) / 255))
        }
        #expect(pixels.pixels == straight)
    }

    @Test func pngFilesOfEveryTypeAreDecoded() throws {
        func file(_ depth: UInt8, _ kind: UInt8, _ rows: [UInt8], _ extra: [(String, [UInt8])] = []) throws -> [UInt8] {
            let header: [UInt8] = [0, 0, 0, 2, 0, 0, 0, 2, depth, kind, 0, 0, 0]
            return PNGReader.file([("IHDR", header)] + extra + [("IDAT", PNGReader.stored(rows)), ("IEND", [])])
        }
        func pixels(_ file: [UInt8]) throws -> [UInt8] { try PNG.decode(#require(PNGImage(file))).pixels }
        let checker: [UInt8] = [0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 255]
        #expect(try pixels(file(1, 0, [0, 0b0100_0000, 0, 0b1000_0000])) == checker)
        #expect(try pixels(file(16, 0, [0, 0, 0, 255, 255, 0, 255, 255, 0, 0])) == checker)
        // The filter of the second row differs: from above, from the left, from both.
        #expect(try pixels(file(8, 0, [0, 0, 255, 2, 255, 1])) == checker)
        #expect(try pixels(file(8, 0, [1, 0, 255, 1, 255, 1])) == checker)
        #expect(try pixels(file(8, 0, [0, 0, 255, 3, 255, 1])) == checker)
        #expect(try pixels(file(8, 0, [0, 0, 255, 4, 255, 1])) == checker)
        let palette: [(String, [UInt8])] = [("PLTE", [10, 20, 30, 200, 100, 0]), ("tRNS", [255, 0])]
        #expect(
            try pixels(file(2, 3, [0, 0b0001_0000, 0, 0b0100_0000], palette))
                == [10, 20, 30, 255, 0, 0, 0, 0, 0, 0, 0, 0, 10, 20, 30, 255])
        #expect(
            try pixels(file(8, 4, [0, 9, 255, 9, 0, 0, 200, 128, 9, 255]))
                == [9, 9, 9, 255, 0, 0, 0, 0, 100, 100, 100, 128, 9, 9, 9, 255])
        #expect(throws: PNGFailure.self) { try pixels(try file(3, 0, [0, 0, 0, 0])) }
        #expect(throws: PNGFailure.self) { try pixels(try file(8, 3, [0, 0, 0, 0, 0, 0])) }
        #expect(throws: PNGFailure.self) { try pixels(try file(8, 0, [0, 0, 0])) }
        #expect(throws: PNGFailure.self) { try pixels(try file(8, 0, [9, 0, 0, 0, 0, 0])) }
        #expect(PNGImage(Array("GIF89a".utf8)) == nil)
    }

    @Test func noInputTraps() throws {
        let file = try smallPicture(nil).data
        let changes = zip(Generator<Int>.integer(in: 8...file.count - 1), Generator<UInt8>.integer(in: 0...255)).array()
        checkProperty("no PNG file traps", changes, cases: 120) { changes in
            var file = file
            for (index, byte) in changes { file[index] = byte }
            // Width and height are small, as 64 megapixels would take too long.
            file.replaceSubrange(16..<24, with: [0, 0, 0, 40, 0, 0, 0, UInt8(changes.count + 20)])
            if let image = PNGImage(file) { _ = try? PNG.decode(image) }
            return true
        }
    }

    private func withImages() throws -> DisplayList {
        let target = try #require(Alphabet.glyph("R")).target(
            in: TraceSize(160, 200), settings: TraceSettings(threshold: 12))
        var picture = TracePicture()
        picture.backgroundImage = try smallPicture(TraceColor(240, 230, 140))
        picture.keyPointImage = try smallPicture(nil)
        picture.guideColor = TraceColor(120, 120, 120, alpha: 100)
        return picture.displayList(of: target, size: TraceSize(160, 200))
    }

    @Test func imagesAreBehindTheGuideAndAtKeyPoints() throws {
        let list = try withImages()
        #expect(list.svg.split(separator: "data:image/png;base64,").count == 3)
        let canvas = try Canvas(list)
        // The background is as wide as the view and centered.
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(canvas.pixels[(y * 160 + x) * 4..<(y * 160 + x) * 4 + 4]) }
        #expect(pixel(80, 190) == [255, 255, 255, 255])
        #expect(pixel(2, 150) == [240, 230, 140, 255])
        let cells = CellPicture(list, columns: 40, form: .halfBlocks, isColored: true).lines.joined()
        #expect(cells.contains("48;5;"))
    }

    @Test func aThumbnailIsSmall() throws {
        let image = try #require(PNGImage(PNG.thumbnail(try samplePicture())))
        #expect(image.height == 128 && image.width == 103)
    }

    static let converter = "/usr/bin/rsvg-convert"

    /// Compares our PNG with our SVG as drawn by another renderer.
    @Test(.enabled(if: hasTool("rsvg-convert"), "needs librsvg2-bin"), arguments: [1.0, 2.5])
    func thePNGLooksLikeTheSVG(scale: Double) throws {
        var list = try samplePicture()
        list.items = try withImages().items + list.items
        let directory = try TemporaryDirectory()
        try directory.write(list.svg, to: "picture.svg")
        let command = Command(
            Self.converter, ["-z", "\(scale)", "-o", "\(directory.path)/picture.png", "\(directory.path)/picture.svg"],
            environment: ["HOME": directory.path])
        #expect(try ChildRunner().run(command, limits: RunLimits(timeout: .seconds(30))) { _, _ in }.succeeded)
        let expected = try PNGReader(contents(of: "\(directory.path)/picture.png"))
        let found = try PNGReader(PNG.encode(try Canvas(list, scale: scale)))
        try #require(found.width == expected.width && found.height == expected.height)
        let differences = zip(found.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(differences.count)
        #expect(mean < 0.5, "mean difference \(mean) of 255")
        let far = Double(differences.count { $0 > 64 }) / Double(differences.count)
        #expect(far < 0.001, "\(far) of the values differ by more than a quarter")
    }

    @Test func drawingALineModifiesNothingElse() throws {
        var canvas = try Canvas(size: TraceSize(100, 100))
        canvas.fill(with: TraceColor(255, 255, 255))
        let before = canvas.pixels
        canvas.draw(.stroke(points: [TracePoint(20, 20), TracePoint(30, 25)], width: 4, color: TraceColor(0, 0, 0)))
        let changed = stride(from: 0, to: before.count, by: 4).filter { before[$0] != canvas.pixels[$0] }.map { $0 / 4 }
        #expect(!changed.isEmpty)
        #expect(changed.allSatisfy { (17...33).contains($0 % 100) && (17...28).contains($0 / 100) })
    }

    @Test func noPictureTraps() {
        let point = zip(Generator<Double>.anyDouble, Generator<Double>.anyDouble).map { TracePoint($0, $1) }
        let item: Generator<DisplayList.Item> = .oneOf([
            zip(point.array(count: 0...5), .anyDouble).map {
                .stroke(points: $0, width: $1, color: TraceColor(1, 2, 3))
            },
            point.array(count: 0...5).map { .fill(polygon: $0, color: TraceColor(1, 2, 3)) },
        ])
        let side = Generator<Double>.oneOf([.real(in: -10...60), .element(of: [.nan, .infinity, 0])])
        // The maximum of 16,384 pixels squared would take too long.
        let size = zip(side, side).map { TraceSize($0 == .infinity ? 60 : $0, $1 == .infinity ? 60 : $1) }
        checkProperty("no picture traps", zip(item.array(count: 0...4), size), cases: 120) { items, size in
            let list = DisplayList(size: size, background: TraceColor(9, 9, 9), items: items)
            let canvas = try Canvas(list)
            let cells = CellPicture(list, columns: 20, form: .braille, isColored: false)
            return !list.svg.isEmpty && !PNG.encode(canvas).isEmpty && !cells.lines.isEmpty
        }
    }
}
