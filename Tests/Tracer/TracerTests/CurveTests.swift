import TestSupport
import Testing
import Tracer

@Suite struct CurveTests {
    @Test func flattenedCurvesAreWithinTheirTolerance() {
        let tolerance = Generator<Double>.real(in: 0.01...5)
        let points = zip(.point, .point, .point, Generator<TracePoint>.point)
        checkProperty("flattening", zip(points, tolerance)) { points, tolerance in
            let (start, control1, control2, end) = points
            let curve = Curve(at: start).cubic(to: end, control1: control1, control2: control2)
            let segments = TracePath(curve, tolerance: tolerance).segments
            for step in 0...100 {
                let t = Double(step) / 100
                let (a, b, c) = (
                    start.interpolated(to: control1, t), control1.interpolated(to: control2, t),
                    control2.interpolated(to: end, t)
                )
                let exact = a.interpolated(to: b, t).interpolated(to: b.interpolated(to: c, t), t)
                let distance = segments.map { $0.distance(to: exact) }.min() ?? .infinity
                guard distance <= tolerance * 1.0001 else { throw Mismatch(description: "\(distance) away at \(t)") }
            }
            return true
        }
    }

    @Test func aFlattenedCircleIsWithinTheTolerance() {
        for tolerance in [0.001, 0.05, 1] {
            let circle = TracePath(
                Curve(at: TracePoint(100, 50)).arc(around: TracePoint(50, 50), radius: 50, from: 0, to: 360),
                tolerance: tolerance
            )
            let middles = circle.segments.map { $0.point(at: 0.5).distance(to: TracePoint(50, 50)) }
            #expect(middles.allSatisfy { $0 >= 50 - tolerance })
        }
    }

    @Test(arguments: [0, -1, Double.nan, .infinity, .leastNonzeroMagnitude]) func anyToleranceHasAnAnswer(
        tolerance: Double
    ) {
        let curve = Curve(at: .zero).cubic(
            to: TracePoint(100, 0), control1: TracePoint(0, 100), control2: TracePoint(100, 100)
        )
        .arc(around: TracePoint(50, 0), radius: 50, from: 0, to: 1e9)
        #expect(TracePath(curve, tolerance: tolerance).points.count < 10_000)
    }

    @Test func curvesWithAnyCoordinatesHaveAnAnswer() {
        let points = zip(.anyPoint, .anyPoint, .anyPoint, Generator<TracePoint>.anyPoint)
        checkProperty("no curve traps", points, cases: 100) { a, b, c, d in
            let curve = Curve(at: a).cubic(to: d, control1: b, control2: c).quadratic(to: b, control: c)
                .arc(around: a, radii: TraceSize(b.x, b.y), from: c.x, to: c.y)
            return TracePath(curve, tolerance: d.x).points.count < 20_000 && !SVGPathData.text([curve]).isEmpty
        }
    }
}
