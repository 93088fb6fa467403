/// The four functions of angles that the library needs, from basic arithmetic alone.
///
/// The system's own differ in their last digits from one to the next, and pictures must be the same everywhere; without
/// them the library also links against nothing but Swift. Errors stay below 1e-15 for the angles of drawings.
enum Trigonometry {
    /// Beyond a million radians, where a double can't tell angles apart well, the angle counts as 0; so does what is not
    /// a number.
    static func sineAndCosine(_ radians: Double) -> (sine: Double, cosine: Double) {
        let small = abs(radians) < 1e6 ? radians : 0
        let quarters = Double((small * (2 / Double.pi)).nearestInt)
        // A quarter turn in two parts, the first with so few digits that its multiples are exact.
        let rest = (small - quarters * 1.57079632673412561417) - quarters * 6.07710050650619224932e-11
        let (sine, cosine) = (sineSeries(rest), cosineSeries(rest))
        switch Int(quarters) & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// The angle of a vector, -pi...pi, clockwise on the screen from the x axis; 0 for no vector.
    static func angle(of vector: Point) -> Double {
        let (x, y) = (abs(vector.x), abs(vector.y))
        guard x > 0 || y > 0 else { return 0 }
        var angle = x >= y ? arcTangent(y / x) : Double.pi / 2 - arcTangent(x / y)
        if vector.x < 0 { angle = Double.pi - angle }
        return vector.y < 0 ? -angle : angle
    }

    /// 0...pi; values beyond -1...1 count as those.
    static func arcCosine(_ value: Double) -> Double {
        let value = min(max(value, -1), 1)
        return 2 * angle(of: Point((1 + value).squareRoot(), (1 - value).squareRoot()))
    }

    /// Taylor's series up to the 17th power, for at most an eighth of a turn.
    private static func sineSeries(_ x: Double) -> Double {
        let square = x * x
        var sum = 0.0
        for half in (1...8).reversed() {
            let power = Double(2 * half)
            sum = -(1 + sum) * square / (power * (power + 1))
        }
        return x + x * sum
    }

    private static func cosineSeries(_ x: Double) -> Double {
        let square = x * x
        var sum = 0.0
        for half in (0...8).reversed() {
            let power = Double(2 * half + 1)
            sum = -(1 + sum) * square / (power * (power + 1))
        }
        return 1 + sum
    }

    /// For 0...1: beyond the tangent of a sixteenth of a turn by the difference to an eighth.
    private static func arcTangent(_ tangent: Double) -> Double {
        if tangent > 0.4142135623730951 { return Double.pi / 4 + arcTangentSeries((tangent - 1) / (tangent + 1)) }
        return arcTangentSeries(tangent)
    }

    private static func arcTangentSeries(_ x: Double) -> Double {
        let square = x * x
        var sum = 0.0
        for half in (0...21).reversed() { sum = 1 / Double(2 * half + 1) - square * sum }
        return x * sum
    }
}

extension Double {
    /// The nearest whole number, halves away from zero, for what fits an `Int`: without the call into the system's
    /// mathematics that `rounded()` is on some processors.
    var nearestInt: Int { self < 0 ? -Int(0.5 - self) : Int(self + 0.5) }
}
