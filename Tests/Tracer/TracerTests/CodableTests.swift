import TestSupport
import Testing
import Tracer

#if canImport(FoundationEssentials)
    // Users encode values with `JSONEncoder` and `JSONDecoder`.
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("decode(encode(x)) = x") struct CodableTests {
    private static let number = Generator<Double>.anyDouble.filter(\.isFinite)
    private static let point = zip(number, number).map { TracePoint($0, $1) }
    private static let size = zip(number, number).map { TraceSize($0, $1) }
    private static let step = zip(Generator<Int>.integer(in: 0...1_000_000), .bool).map {
        StrokeOrder.Step(path: $0, isReversed: $1)
    }
    private static let order = step.array().map { StrokeOrder($0) }
    private static let arc = zip(point, size, zip(number, number, number)).map { center, radii, angles in
        Curve.Element.arc(
            Curve.Arc(center: center, radii: radii, rotation: angles.0, start: angles.1, sweep: angles.2))
    }
    private static let curve = zip(
        point,
        Generator<Curve.Element>.oneOf([
            point.map { .line(to: $0) },
            zip(point, point).map { .quadratic(control: $0, to: $1) },
            zip(point, point, point).map { .cubic(control1: $0, control2: $1, to: $2) },
            arc,
        ]).array()
    ).map { $1.reduce(Curve(at: $0)) { $0.adding($1) } }
    private static let box = zip(point, size).map { TraceRect(origin: $0, size: $1) }
    private static let glyph = zip(.text, curve.array(count: 0...3), order.array(count: 0...3), box.optional()).map {
        Glyph(name: $0, curves: $1, alternatives: $2, box: $3)
    }
    private static let stroke = zip(point, number).map { Recording.Sample($0, time: $1) }.array()
        .map { Recording.Stroke(samples: $0) }

    private func check<Value: Codable & Equatable>(_ name: String, _ generator: Generator<Value>) {
        checkProperty("decode(encode(\(name))) = \(name)", generator) { value in
            let data = try JSONEncoder().encode(value)
            return try expectEqual(JSONDecoder().decode(Value.self, from: data), value)
        }
    }

    @Test func settingsHaveDefaultsForMissingKeys() throws {
        func settings(_ json: String) throws -> TraceSettings {
            try JSONDecoder().decode(TraceSettings.self, from: Data(json.utf8))
        }
        #expect(try settings("{}") == TraceSettings())
        #expect(try settings("{\"mode\":\"ordered\"}") == TraceSettings(mode: .ordered))
        #expect(
            try settings("{\"largestDetour\":null,\"leniency\":1}") == TraceSettings(largestDetour: nil, leniency: 1))
        #expect(throws: DecodingError.self) { try settings("{\"leniency\":\"mild\"}") }
    }

    @Test func geometryRoundTrips() {
        check("point", Self.point)
        check("size", Self.size)
        check("rectangle", zip(Self.point, Self.size).map { TraceRect(origin: $0, size: $1) })
        let byte = Generator<UInt8>.integer(in: 0...255)
        check("color", zip(byte, byte, byte, byte).map { TraceColor($0, $1, $2, alpha: $3) })
    }

    @Test func settingsRoundTrip() {
        let mode = Generator<TraceSettings.Mode>.element(of: TraceSettings.Mode.allCases)
        let threshold = zip(Self.number, .bool).map { $1 ? TraceSettings.Threshold.units($0) : .share($0) }
        check(
            "settings",
            zip(threshold, mode, Self.number, Self.number.optional()).map {
                TraceSettings(threshold: $0, mode: $1, requiredCoverage: $2, largestDetour: $3)
            })
        check("order", Self.order)
        check("color of a line", .element(of: TracedLine.Color.allCases))
        check("fault", .element(of: StrokeGrade.Fault.allCases))
    }

    @Test func glyphsRoundTrip() {
        check("curve", Self.curve)
        check("glyph", Self.glyph)
        check(
            "glyph set",
            zip(Generator<String>.text.optional(), Self.glyph.array(count: 0...4)).map {
                GlyphSet(name: $0, glyphs: $1)
            })
        check("built-in glyph", .element(of: Alphabet.all))
        check(
            "HanziWriter character",
            zip(Generator<String>.text.optional(), Self.point.array().array(count: 0...4)).map {
                HanziWriterCharacter(character: $0, medians: $1)
            })
    }

    @Test func recordingsRoundTrip() {
        check(
            "recording",
            zip(Generator<String>.text.optional(), Self.size, Self.number, Self.stroke.array(count: 0...4)).map {
                Recording(letter: $0, size: $1, threshold: $2, strokes: $3)
            })
    }

    @Test(arguments: [
        "{\"tracer-glyphs\": 2, \"glyphs\": []}", "{\"glyphs\": []}",
        "{\"tracer-glyphs\": 1, \"glyphs\": [{\"name\": \"a\", \"strokes\": [[[\"L\", 1, 2]]]}]}",
        "{\"tracer-glyphs\": 1, \"glyphs\": [{\"name\": \"a\", \"strokes\": [[[\"M\", 1, 2], [\"Q\", 1, 2]]]}]}",
        "{\"tracer-glyphs\": 1, \"glyphs\": [{\"name\": \"a\", \"strokes\": [], \"orders\": [[0]]}]}",
        "{\"tracer-glyphs\": 1, \"glyphs\": [{\"name\": \"a\", \"strokes\": [], \"box\": [0, 0, 1]}]}",
        "{\"tracer-glyphs\": 1, \"glyphs\": [{\"name\": \"a\", \"strokes\": [], \"box\": [0, 0, 1, 0]}]}",
    ]) func whatIsNoGlyphSetIsRefused(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(GlyphSet.self, from: Data(text.utf8)) }
    }

    @Test func aHanziWriterFileGivesItsStrokes() throws {
        let text = """
            {"strokes": ["M 10 10 Z", "M 20 20 Z"], "medians": [[[100, 900], [500, 880]], [], [[300, 0]]], "radStrokes": [0]}
            """
        let glyph = try JSONDecoder().decode(HanziWriterCharacter.self, from: Data(text.utf8)).glyph(named: "二")
        #expect(glyph.name == "二" && glyph.box == TraceRect(x: 0, y: 0, width: 1024, height: 1024))
        #expect(glyph.paths().map(\.points) == [[TracePoint(100, 0), TracePoint(500, 20)], [TracePoint(300, 900)]])
    }

    @Test(arguments: ["[[1, 2, 3, 4, 5]]", "[[1, 2, 3, 4]]", "[[1]]"]) func samplesHaveTwoOrThreeNumbers(stroke: String)
    {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Recording.Stroke.self, from: Data(stroke.utf8))
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TracePoint.self, from: Data("[1, 2, 3]".utf8)) }
    }

    @Test func aRecordingOfAnotherVersionIsRejected() {
        let text = "{\"tracer\": 2, \"width\": 1, \"height\": 1, \"threshold\": 1, \"strokes\": []}"
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Recording.self, from: Data(text.utf8)) }
    }
}
