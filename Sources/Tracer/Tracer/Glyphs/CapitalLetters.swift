enum CapitalLetters {
    static let all: [Glyph] = [
        // In one stroke from the foot; with the bar second or from the right.
        Glyph(
            "A", pen(40, 0).to(0, 100), pen(40, 0).to(80, 100), pen(14.4, 64).to(65.6, 64),
            ways: [[[-1, 2], [3]], [[1], [3], [2]], [[1], [2], [-3]]]),
        // In one stroke: down, up again, round, as b and p are built.
        Glyph(
            "B", pen(0, 0).to(0, 100),
            pen(0, 0).to(28, 0).round(28, 24, 24, -90, 90).to(0, 48).to(32, 48).round(32, 74, 26, -90, 90).to(0, 100),
            ways: [[[1, 2]]]),
        Glyph("C", .arc(50, 50, 50, -42, -318)),
        // In one stroke: down, up again, round.
        Glyph("D", pen(0, 0).to(0, 100), pen(0, 0).to(28, 0).round(28, 50, 50, -90, 90).to(0, 100), ways: [[[1, 2]]]),
        // With another order of the strokes; as an L and bars; in one stroke around the left; with bars from the right, for left-handed children.
        Glyph(
            "E", pen(0, 0).to(0, 100), pen(0, 0).to(60, 0), pen(0, 50).to(50, 50), pen(0, 100).to(60, 100),
            ways: [
                [[2], [1], [3], [4]], [[1], [2], [4], [3]], [[1, 4], [2], [3]], [[1, 4], [3], [2]], [[-2, 1, 4], [3]],
                [[-2, 1], [3], [4]], [[1], [-2], [-3], [-4]], [[-2], [1], [-3], [-4]], [[1, 4], [-2], [-3]],
            ]),
        // With the bars first, or joined to the stem, or from the right.
        Glyph(
            "F", pen(0, 0).to(0, 100), pen(0, 0).to(60, 0), pen(0, 50).to(50, 50),
            ways: [[[2], [1], [3]], [[-2, 1], [3]], [[-1, 2], [3]], [[1], [-2], [-3]], [[-2, 1], [-3]]]),
        Glyph("G", .arc(50, 50, 50, -42, -360).to(58, 50)),
        Glyph(
            "H", pen(0, 0).to(0, 100), pen(75, 0).to(75, 100), pen(0, 50).to(75, 50),
            ways: [[[1], [3], [2]], [[1], [2], [-3]]]),
        Glyph(
            "I", pen(22, 0).to(22, 100), pen(0, 0).to(44, 0), pen(0, 100).to(44, 100),
            ways: [[[2], [1], [3]], [[1], [3], [2]], [[1], [-2], [-3]], [[-2], [1], [-3]]]),
        Glyph("J", pen(56, 0).to(56, 72).round(28, 72, 28, 0, 165)),
        Glyph("K", pen(0, 0).to(0, 100), pen(62, 0).to(0, 56).to(64, 100)),
        Glyph("L", pen(0, 0).to(0, 100).to(58, 100)),
        // In one stroke, down and up again or from the foot.
        Glyph("M", pen(0, 0).to(0, 100), pen(0, 0).to(46, 80).to(92, 0).to(92, 100), ways: [[[1, 2]], [[-1, 2]]]),
        // In one stroke, down and up again or from the foot; with both stems first.
        Glyph(
            "N", pen(0, 0).to(0, 100), pen(0, 0).to(74, 100).to(74, 0), ways: [[[1, 2]], [[-1, 2]]], parts: .stemsOfN),
        Glyph("O", .arc(50, 50, 50, -90, -450)),
        // In one stroke: down, up again, round.
        Glyph("P", pen(0, 0).to(0, 100), pen(0, 0).to(30, 0).round(30, 27, 27, -90, 90).to(0, 54), ways: [[[1, 2]]]),
        Glyph("Q", .arc(50, 50, 50, -90, -450), pen(62, 66).to(98, 104), ways: [[[1], [-2]]]),
        // As stem and rest; in one stroke; as P and leg.
        Glyph(
            "R", pen(0, 0).to(0, 100), pen(0, 0).to(32, 0).round(32, 26, 26, -90, 90).to(0, 52),
            pen(26, 52).to(64, 100), ways: [[[1], [2, 3]], [[1, 2, 3]], [[1, 2], [3]]]),
        Glyph("S", .arc(31, 25, 29, 25, -28, -270).round(31, 75, 31, 25, -90, 155)),
        Glyph("T", pen(40, 0).to(40, 100), pen(0, 0).to(80, 0), ways: [[[2], [1]], [[1], [-2]], [[-2], [1]]]),
        Glyph("U", pen(0, 0).to(0, 64).round(36, 64, 36, 180, 0).to(72, 0)),
        Glyph("V", pen(0, 0).to(40, 100).to(80, 0)),
        Glyph("W", pen(0, 0).to(28, 100).to(56, 20).to(84, 100).to(112, 0)),
        Glyph("X", pen(0, 0).to(72, 100), pen(72, 0).to(0, 100), ways: [[[2], [1]]]),
        // The long side first.
        Glyph("Y", pen(0, 0).to(36, 50), pen(72, 0).to(36, 50).to(36, 100), ways: [[[2], [1]]]),
        Glyph("Z", pen(0, 0).to(70, 0).to(0, 100).to(70, 100)),
    ]
}
