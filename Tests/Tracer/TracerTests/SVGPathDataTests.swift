import TestSupport
import Testing
import Tracer

@Suite struct SVGPathDataTests {
    private func points(_ data: String) throws -> [[TracePoint]] {
        try SVGPathData.parse(data).map { TracePath($0).points }
    }

    @Test(arguments: [
        ("M10 20L30 40", [[TracePoint(10, 20), TracePoint(30, 40)]]),
        ("m10,20 20,20-5-5", [[TracePoint(10, 20), TracePoint(30, 40), TracePoint(25, 35)]]),
        (
            "M1 1h9v9H1z",
            [[TracePoint(1, 1), TracePoint(10, 1), TracePoint(10, 10), TracePoint(1, 10), TracePoint(1, 1)]]
        ),
        ("M0 0zl5 5", [[.zero], [.zero, TracePoint(5, 5)]]),
        ("M0 0 1e1.5", [[.zero, TracePoint(10, 0.5)]]),
        ("M5.5.5-1-1", [[TracePoint(5.5, 0.5), TracePoint(-1, -1)]]),
        // A move alone draws nothing; closed, or with a line of no length, it is a dot.
        ("M9 9", []), ("M0 0M1 1", []), ("M0 0M1 1L2 2M3 3", [[TracePoint(1, 1), TracePoint(2, 2)]]),
        ("M3 4z", [[TracePoint(3, 4)]]), ("M3 4L3 4", [[TracePoint(3, 4), TracePoint(3, 4)]]),
        ("M3 4A5 5 0 0 1 3 4", []),
        ("  \n", []),
    ])
    func linesAreRead(data: String, expected: [[TracePoint]]) throws {
        #expect(try points(data) == expected)
    }

    @Test(arguments: [
        ("10 20", 0, "expected a command letter"), ("L1 1", 0, "expected 'M' before 'L'"),
        ("M1", 2, "expected a number, found the end"), ("M1 x", 3, "expected a number"),
        ("M0 0A5 5 0 2 1 9 9", 11, "expected 0 or 1"), ("M0 0L1e99 0", 5, "expected a number"),
    ])
    func whatIsWrongIsSaidWithItsPlace(data: String, offset: Int, reason: String) throws {
        let failure = try #require(throws: SVGPathData.Failure.self) { try SVGPathData.parse(data) }
        #expect(failure.offset == offset)
        #expect(failure.description == reason)
    }

    @Test func smoothCommandsReflectTheControlPoint() throws {
        let smooth = try SVGPathData.parse("M0 0C0 10 10 10 10 0S20-10 20 0")
        let written = try SVGPathData.parse("M0 0C0 10 10 10 10 0C10-10 20-10 20 0")
        #expect(smooth == written)
        #expect(try SVGPathData.parse("M0 0Q5 5 10 0T20 0") == SVGPathData.parse("M0 0Q5 5 10 0Q15-5 20 0"))
        #expect(try SVGPathData.parse("M0 0S5 5 10 0") == SVGPathData.parse("M0 0C0 0 5 5 10 0"))
    }

    @Test(arguments: [false, true], [false, true]) func arcsAreOnTheirCircle(isLarge: Bool, isClockwise: Bool) throws {
        let data = "M0 0A10 10 0 \(isLarge ? 1 : 0)\(isClockwise ? 1 : 0)10 10"
        let path = TracePath(try #require(SVGPathData.parse(data).first), tolerance: 0.001)
        let center = isLarge == isClockwise ? TracePoint(10, 0) : TracePoint(0, 10)
        #expect(path.points.allSatisfy { abs($0.distance(to: center) - 10) < 1e-9 })
        #expect(path.points.last.map { $0.distance(to: TracePoint(10, 10)) < 1e-9 } == true)
        #expect(abs(path.length - (isLarge ? 1.5 : 0.5) * 10 * Double.pi) < 0.02)
    }

    @Test func curvesRoundTrip() {
        let coordinate = Generator<Int>.integer(in: -999_999...999_999).map { Double($0) / 1000 }
        let point = zip(coordinate, coordinate).map { TracePoint($0, $1) }
        let element: Generator<Curve.Element> = .oneOf([
            point.map { .line(to: $0) },
            zip(point, point).map { .quadratic(control: $0, to: $1) },
            zip(point, point, point).map { .cubic(control1: $0, control2: $1, to: $2) },
        ])
        let curves = zip(point, element.array()).map { $1.reduce(Curve(at: $0)) { $0.adding($1) } }.array()
        checkProperty("SVG parse(print(x)) = x", curves) { curves in
            let text = SVGPathData.text(curves)
            let again = try SVGPathData.parse(text)
            return try expectEqual(SVGPathData.text(again), text)
                && expectEqual(
                    again.map { $0.elements.filter { $0 != .line(to: .zero) }.count >= 0 }.count, curves.count)
        }
    }

    @Test func writtenArcsHaveTheSamePoints() throws {
        for glyph in Alphabet.all {
            let again = try SVGPathData.parse(SVGPathData.text(glyph.curves))
            #expect(again.count == glyph.curves.count)
            for (curve, copy) in zip(glyph.curves, again) {
                #expect(abs(TracePath(curve, tolerance: 0.001).length - TracePath(copy, tolerance: 0.001).length) < 0.2)
                #expect(curve.end.distance(to: copy.end) < 0.001)
            }
        }
    }

    @Test func noInputTraps() {
        let text = Generator.string(of: "M z,.-+e019LlHhVvCcSsQqTtAa\n\0é", count: 0...40)
        checkProperty("no path data traps", text, cases: 3000) { text in
            if let curves = try? SVGPathData.parse("M0 0" + text) {
                _ = curves.map { TracePath($0) }
                _ = SVGPathData.text(curves)
            }
            return true
        }
    }
}
