/// The built-in glyphs: A–Z, a–z and 0–9, our own constructions of stems, bowls and bars.
public enum Alphabet {
    /// A to Z.
    public static let capitals: [Glyph] = CapitalLetters.all
    /// a to z.
    public static let smallLetters: [Glyph] = SmallLetters.all
    /// 0 to 9.
    public static let digits: [Glyph] = Digits.all
    /// Capitals, small letters and digits.
    public static let all: [Glyph] = capitals + smallLetters + digits

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The glyph of a character, nil if there is none built in.
    public static func glyph(_ name: String) -> Glyph? { byName[name] }
}

/// Short forms for glyph definitions.
func pen(_ x: Double, _ y: Double) -> Curve { Curve(at: Point(x, y)) }

extension Curve {
    func to(_ x: Double, _ y: Double) -> Curve { line(to: Point(x, y)) }

    func round(_ x: Double, _ y: Double, _ radius: Double, _ from: Double, _ to: Double) -> Curve {
        arc(around: Point(x, y), radius: radius, from: from, to: to)
    }

    func round(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ from: Double, _ to: Double) -> Curve {
        arc(around: Point(x, y), radii: Size(width, height), from: from, to: to)
    }

    /// A stroke that begins with an arc.
    static func arc(_ x: Double, _ y: Double, _ radius: Double, _ from: Double, _ to: Double) -> Curve {
        arc(x, y, radius, radius, from, to)
    }

    static func arc(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ from: Double, _ to: Double
    ) -> Curve {
        let first = Arc(center: Point(x, y), radii: Size(width, height), start: from * Double.pi / 180, sweep: 0)
        return Curve(at: first.end).round(x, y, width, height, from, to)
    }
}

extension Glyph {
    init(_ name: String, _ curves: Curve..., orders: [[Int]] = []) {
        self.init(
            name: name, curves: curves,
            alternatives: orders.map { order in StrokeOrder(order.map { StrokeOrder.Step(path: $0) }) })
    }
}
