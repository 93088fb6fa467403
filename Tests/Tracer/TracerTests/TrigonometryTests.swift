import TestSupport
import Testing

@testable import Tracer

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct TrigonometryTests {
    @Test func sineAndCosineEqualTheSystemFunctions() {
        checkProperty("sine and cosine", .real(in: -10_000...10_000), cases: 3000) { angle in
            let (sine, cosine) = Trigonometry.sineAndCosine(angle)
            return abs(sine - sin(angle)) < 1e-15 && abs(cosine - cos(angle)) < 1e-15
        }
    }

    @Test func anglesEqualTheSystemFunctions() {
        let real = Generator<Double>.real(in: -100...100)
        checkProperty("angle", zip(real, real), cases: 3000) { x, y in
            let expected = x == 0 && y == 0 ? 0 : atan2(y == 0 ? 0 : y, x)
            return abs(Trigonometry.angle(of: TracePoint(x, y)) - expected) < 2e-15
        }
        checkProperty("arc cosine", .real(in: -1...1), cases: 1000) {
            abs(Trigonometry.arcCosine($0) - acos($0)) < 2e-15
        }
    }

    @Test func nonFiniteInputHasAnAnswer() {
        for angle in [Double.infinity, .nan, 1e300, -1e7] { #expect(Trigonometry.sineAndCosine(angle).cosine == 1) }
        #expect(Trigonometry.arcCosine(7) == 0)
    }
}
