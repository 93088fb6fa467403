#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The only functions the library needs from the system.
enum Trigonometry {
    static func sineAndCosine(_ radians: Double) -> (sine: Double, cosine: Double) {
        (sin(radians), cos(radians))
    }

    static func angle(of vector: Point) -> Double { atan2(vector.y, vector.x) }

    static func arcCosine(_ value: Double) -> Double { acos(min(max(value, -1), 1)) }
}
