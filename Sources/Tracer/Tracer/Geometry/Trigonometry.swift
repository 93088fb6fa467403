/// Trigonometric functions in basic arithmetic.
///
/// The functions of system libraries differ in their last digits, but pictures must be the same on every system.
/// Without them, the library links only against Swift. Errors are less than 1e-15 for the angles of drawings.
enum Trigonometry {
    /// Returns the sine and cosine of an angle. NaN and angles of a million radians or more, for which a `Double` is
    /// too imprecise, count as 0.
    static func sineAndCosine(_ radians: Double) -> (sine: Double, cosine: Double) {
        let small = abs(radians) < 1e6 ? radians : 0
        let quarters = Double((small * (2 / Double.pi)).nearestInt)
        // π/2 in two parts (Cody–Waite): the first has so few digits that its multiples are exact.
        let rest = (small - quarters * 1.57079632673412561417) - quarters * 6.07710050650619224932e-11
        let (sine, cosine) = (sineSeries(rest), cosineSeries(rest))
        switch Int(quarters) & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// Returns the angle of a vector, -π...π, clockwise on the screen from the x axis. Returns 0 for the zero vector.
    static func angle(of vector: TracePoint) -> Double {
        let (x, y) = (abs(vector.x), abs(vector.y))
        guard x > 0 || y > 0 else { return 0 }
        var angle = x >= y ? arcTangent(y / x) : Double.pi / 2 - arcTangent(x / y)
        if vector.x < 0 { angle = Double.pi - angle }
        return vector.y < 0 ? -angle : angle
    }

    /// Returns the arc cosine, 0...π, of a value, which is clamped to -1...1.
    static func arcCosine(_ value: Double) -> Double {
        let value = min(max(value, -1), 1)
        return 2 * angle(of: TracePoint((1 + value).squareRoot(), (1 - value).squareRoot()))
    }

    /// Returns the Taylor series up to the 17th power, for angles up to π/4.
    private static func sineSeries(_ x: Double) -> Double {
        let square = x * x
        var sum = 0.0
        var power = 16.0
        while power > 0 {
            sum = -(1 + sum) * square / (power * (power + 1))
            power -= 2
        }
        return x + x * sum
    }

    private static func cosineSeries(_ x: Double) -> Double {
        let square = x * x
        var sum = 0.0
        var power = 17.0
        while power > 0 {
            sum = -(1 + sum) * square / (power * (power + 1))
            power -= 2
        }
        return 1 + sum
    }

    /// Returns the arc tangent of a value in 0...1. Above tan(π/8), it is computed as the difference from π/4.
    private static func arcTangent(_ tangent: Double) -> Double {
        if tangent > 0.4142135623730951 { return Double.pi / 4 + arcTangentSeries((tangent - 1) / (tangent + 1)) }
        return arcTangentSeries(tangent)
    }

    private static func arcTangentSeries(_ x: Double) -> Double {
        let square = x * x
        var sum = 0.0
        var power = 43.0
        while power > 0 {
            sum = 1 / power - square * sum
            power -= 2
        }
        return x * sum
    }
}

extension Double {
    /// The nearest integer, with halves rounded away from zero, for values that fit in an `Int`. `rounded()` would call
    /// the system's math library on some processors.
    var nearestInt: Int { self < 0 ? -Int(0.5 - self) : Int(self + 0.5) }
}
