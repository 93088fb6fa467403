enum AccentedLetters {
    static let all: [Glyph] = [
        compose("Ä", dots(40, -24, apart: 34)), compose("Ö", dots(50, -24, apart: 34)),
        compose("Ü", dots(36, -24, apart: 34)), compose("ä", dots(25, 26, apart: 26)),
        compose("å", [.arc(25, 14, 16, -90, -450)]), compose("ç", cedilla, either: true),
        compose("é", [pen(38, 12).to(22, 32)], either: true), compose("ñ", [tilde]),
        compose("ö", dots(25, 26, apart: 26)), compose("ø", [pen(50, 44).to(0, 106)], either: true),
        compose("ü", dots(22, 26, apart: 26)),
        // In one stroke from the foot.
        Glyph("ß", pen(0, 100).to(0, 22).round(20, 22, 20, 180, 450).round(20, 70, 24, 28, -90, 100)),
    ].compactMap { $0 }

    private static let bases: [String: String] = [
        "Ä": "A", "Ö": "O", "Ü": "U", "ä": "a", "å": "a", "ç": "c", "é": "e", "ñ": "n", "ö": "o", "ø": "o", "ü": "u",
    ]

    private static let cedilla = [
        pen(24, 100).cubic(to: TracePoint(12, 130), control1: TracePoint(44, 112), control2: TracePoint(38, 136))
    ]

    private static let tilde = pen(6, 24).cubic(
        to: TracePoint(40, 18), control1: TracePoint(16, 2), control2: TracePoint(28, 40))

    private static func dots(_ x: Double, _ y: Double, apart: Double) -> [Curve] {
        [pen(x - apart / 2, y), pen(x + apart / 2, y)]
    }

    /// Returns a letter with a mark, in every order of the letter, with the mark last.
    ///
    /// - Parameter either: A Boolean value that indicates whether the mark may be drawn in both directions. Two dots may
    ///   be drawn in any order.
    private static func compose(_ name: String, _ mark: [Curve], either: Bool = false) -> Glyph? {
        guard let base = bases[name].flatMap({ base in (Alphabet.all).first { $0.name == base } }) else { return nil }
        let steps = mark.indices.map { StrokeOrder.Step(path: base.curves.count + $0) }
        var marks = [steps]
        if mark.count > 1 { marks.append(steps.reversed()) }
        if either { marks.append(steps.map { StrokeOrder.Step(path: $0.path, isReversed: true) }) }
        let orders = base.orders.flatMap { order in marks.map { StrokeOrder(order.steps + $0) } }
        return Glyph(
            name: name, curves: base.curves + mark, alternatives: Array(orders.dropFirst()),
            writingLines: base.writingLines, box: base.box)
    }
}
