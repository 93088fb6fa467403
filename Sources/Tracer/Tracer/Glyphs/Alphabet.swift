/// The built-in glyphs A–Z, a–z and 0–9, which were designed for this library.
public enum Alphabet {
    /// The uppercase letters A to Z.
    public static let uppercase: [Glyph] = CapitalLetters.all
    /// The lowercase letters a to z.
    public static let lowercase: [Glyph] = SmallLetters.all
    /// The digits 0 to 9.
    public static let digits: [Glyph] = Digits.all
    /// All built-in glyphs: uppercase letters, lowercase letters and digits.
    public static let all: [Glyph] = uppercase + lowercase + digits
    /// Second forms of letters and digits that schools write differently, with names such as `7.alt`.
    public static let alternates: [Glyph] = AlternateForms.all
    /// Letters with marks, and ß: Ä, Ö, Ü, ä, å, ç, é, ñ, ö, ø, ü and ß.
    public static let accented: [Glyph] = AccentedLetters.all

    private static let byName = Dictionary(uniqueKeysWithValues: (all + alternates + accented).map { ($0.name, $0) })

    /// Returns the built-in glyph of a character or of a second form such as `7.alt`, or `nil` if there is none.
    public static func glyph(_ name: String) -> Glyph? { byName[name] }
}

// Short names for the definitions of glyphs.
func pen(_ x: Double, _ y: Double) -> Curve { Curve(at: TracePoint(x, y)) }

extension Curve {
    func to(_ x: Double, _ y: Double) -> Curve { line(to: TracePoint(x, y)) }

    func round(_ x: Double, _ y: Double, _ radius: Double, _ from: Double, _ to: Double) -> Curve {
        arc(around: TracePoint(x, y), radius: radius, from: from, to: to)
    }

    func round(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ from: Double, _ to: Double) -> Curve {
        arc(around: TracePoint(x, y), radii: TraceSize(width, height), from: from, to: to)
    }

    /// Returns a stroke that starts with an arc.
    static func arc(_ x: Double, _ y: Double, _ radius: Double, _ from: Double, _ to: Double) -> Curve {
        arc(x, y, radius, radius, from, to)
    }

    static func arc(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ from: Double, _ to: Double
    ) -> Curve {
        let first = Arc(
            center: TracePoint(x, y), radii: TraceSize(width, height), start: from * Double.pi / 180, sweep: 0)
        return Curve(at: first.end).round(x, y, width, height, from, to)
    }
}

extension Glyph {
    /// Creates a built-in glyph.
    ///
    /// - Parameter ways: The other ways to draw it. A way is a list of strokes, and a stroke a list of steps.
    init(_ name: String, _ curves: Curve..., ways: [[[Int]]] = [], parts: [StrokeOrder] = []) {
        let points = curves.lazy.flatMap { TracePath($0, tolerance: 0.05).points }
        let middle = TraceRect(around: points)?.center.x ?? 0
        self.init(
            name: name, curves: curves, alternatives: ways.map { StrokeOrder(strokes: $0) } + parts,
            writingLines: [0, 50, 100, 140], box: TraceRect(x: middle - 64, y: -10, width: 128, height: 160))
    }
}

extension StrokeOrder {
    /// Creates an order of strokes, each a list of numbers of paths as in the encoded form.
    fileprivate init(strokes: [[Int]]) {
        self.init(
            strokes.flatMap { stroke in
                stroke.enumerated().compactMap { index, number in
                    var step = Step(number: number)
                    step?.isJoined = index > 0
                    return step
                }
            })
    }
}

extension [StrokeOrder] {
    /// Both stems before the diagonal.
    static var stemsOfN: Self {
        let bend = 0.5544
        let diagonal = StrokeOrder.Step(path: 1, part: 0...bend)
        return [true, false].map { isReversed in
            StrokeOrder([
                StrokeOrder.Step(path: 0), StrokeOrder.Step(path: 1, isReversed: isReversed, part: bend...1), diagonal,
            ])
        }
    }

    /// A ring on top and a ring below, which is drawn in either direction.
    static var ringsOf8: Self {
        let (first, second) = (0.2357, 0.7643)
        return [true, false].map { isReversed in
            StrokeOrder([
                StrokeOrder.Step(path: 0, part: 0...first),
                StrokeOrder.Step(path: 0, isJoined: true, part: second...1),
                StrokeOrder.Step(path: 0, isReversed: isReversed, part: first...second),
            ])
        }
    }
}
