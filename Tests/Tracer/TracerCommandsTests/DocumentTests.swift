import TestSupport
import Testing
import Text
import Tracer

@testable import TracerCommands

#if canImport(FoundationEssentials)
    // For `JSONEncoder` and `JSONDecoder`.
    import FoundationEssentials
#else
    import Foundation
#endif

/// The readers and writers of the demo and the `Codable` conformances of the library use the same formats.
@Suite struct DocumentTests {
    private static let coordinate = Generator<Double>.anyDouble.filter { abs($0) <= TracePoint.largestCoordinate }
    private static let point = zip(coordinate, coordinate).map { TracePoint($0, $1) }

    @Test func recordingsRoundTrip() {
        let positive = Generator<Double>.real(in: 0.01...10_000)
        let stroke = zip(Self.point, Self.coordinate).map { Recording.Sample($0, time: $1) }.array()
            .map { Recording.Stroke(samples: $0) }
        let recording = zip(Generator<String>.text.optional(), positive, positive, stroke.array(count: 0...4)).map {
            Recording(letter: $0, size: TraceSize($1, $2), threshold: $2, strokes: $3)
        }
        checkProperty("read(write(recording)) = recording", recording) { recording in
            let text = recording.jsonText
            let read = try RecordingReader.parse(SourceFile(path: "trace.json", text: text))
            let decoded = try JSONDecoder().decode(Recording.self, from: Data(text.utf8))
            return try expectEqual(read, recording) && expectEqual(decoded, recording)
        }
    }

    private static let glyph: Generator<Glyph> = {
        let element: Generator<Curve.Element> = .oneOf([
            point.map { .line(to: $0) },
            zip(point, point).map { .quadratic(control: $0, to: $1) },
            zip(point, point, point).map { .cubic(control1: $0, control2: $1, to: $2) },
            zip(point, point, point).map {
                .arc(
                    Curve.Arc(
                        center: $0, radii: TraceSize($1.x, $1.y), rotation: $2.x, start: $2.y, sweep: $1.x))
            },
        ])
        let curve = zip(point, element.array(count: 0...4)).map { $1.reduce(Curve(at: $0)) { $0.adding($1) } }
        // Every path once: a rotation of the standard order, with some paths backwards.
        let order = zip(Generator<Int>.integer(in: 0...3), Generator<Bool>.bool.array(count: 3...3))
        return zip(.text, curve.array(count: 0...3), order.array(count: 0...2)).map { name, curves, orders in
            Glyph(
                name: name, curves: curves,
                alternatives: orders.map { turn, reversed in
                    StrokeOrder(
                        curves.indices.map { index in
                            StrokeOrder.Step(path: (index + turn) % curves.count, isReversed: reversed[index])
                        })
                })
        }
    }()

    @Test func glyphSetsRoundTrip() {
        let set = zip(Generator<String>.text.optional(), Self.glyph.array(count: 0...3)).map {
            GlyphSet(name: $0, glyphs: $1)
        }
        checkProperty("read(write(glyph set)) = glyph set", set, cases: 40) { set in
            let text = set.jsonText
            let source = SourceFile(path: "set.json", text: text)
            let read = try GlyphSetReader.read(try JSONParser.parse(text), from: source)
            let decoded = try JSONDecoder().decode(GlyphSet.self, from: Data(text.utf8))
            return try expectEqual(read, set) && expectEqual(decoded, set)
        }
    }

    @Test func theAlphabetRoundTrips() throws {
        let text = GlyphSet(glyphs: Alphabet.all).jsonText
        let source = SourceFile(path: "set.json", text: text)
        #expect(try GlyphSetReader.read(try JSONParser.parse(text), from: source).glyphs == Alphabet.all)
    }

    @Test func noInputTraps() {
        let text = Generator.string(of: "[]{}\",:M L-10e5\n", count: 0...30)
        checkProperty("no glyph set traps", text, cases: 500) { text in
            for whole in [text, "{\"tracer-glyphs\":1,\"glyphs\":[{\"name\":\"a\",\"strokes\":[\(text)]}]}"] {
                guard let node = try? JSONParser.parse(whole) else { continue }
                _ = try? GlyphSetReader.read(node, from: SourceFile(path: "set.json", text: whole))
            }
            return true
        }
    }
}
