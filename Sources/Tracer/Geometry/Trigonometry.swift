/// The four functions of angles that the library needs, from basic arithmetic alone.
///
/// The system's own differ in their last digits from one to the next, and pictures must be the same everywhere; without
/// them the library also links against nothing but Swift. Errors stay below 1e-15 for the angles of drawings.
enum Trigonometry {
    /// Not a number for what is not finite.
    static func sineAndCosine(_ radians: Double) -> (sine: Double, cosine: Double) {
        guard radians.isFinite else { return (.nan, .nan) }
        let small = abs(radians) < 1e6 ? radians : radians.truncatingRemainder(dividingBy: 2 * Double.pi)
        let quarters = (small * (2 / Double.pi)).rounded()
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
        for power in stride(from: 16.0, through: 2, by: -2) { sum = (sum - 1) * square / (power * (power + 1)) }
        return x + x * sum
    }

    private static func cosineSeries(_ x: Double) -> Double {
        let square = x * x
        var sum = 0.0
        for power in stride(from: 17.0, through: 1, by: -2) { sum = (sum - 1) * square / (power * (power + 1)) }
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
        for power in stride(from: 43.0, through: 1, by: -2) { sum = 1 / power - square * sum }
        return x * sum
    }
}
