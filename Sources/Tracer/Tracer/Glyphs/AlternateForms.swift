enum AlternateForms {
    static let all: [Glyph] = [
        // From the foot of the left side in one stroke.
        Glyph("A.alt", pen(0, 100).to(40, 0).to(80, 100), pen(14.4, 64).to(65.6, 64), ways: [[[1], [-2]]]),
        // A stem without bars.
        Glyph("I.alt", pen(0, 0).to(0, 100)),
        // With a bar on top.
        Glyph(
            "J.alt", pen(56, 0).to(56, 72).round(28, 72, 28, 0, 165), pen(34, 0).to(78, 0),
            ways: [[[2], [1]], [[1], [-2]], [[-2], [1]], [[2, 1]]]),
        // With slanted sides, in one stroke from the foot.
        Glyph("M.alt", pen(0, 100).to(16, 0).to(48, 80).to(80, 0).to(96, 100)),
        // In one stroke from the foot.
        Glyph("N.alt", pen(0, 100).to(0, 0).to(74, 100).to(74, 0)),
        // From right to left first.
        Glyph("X.alt", pen(72, 0).to(0, 100), pen(0, 0).to(72, 100), ways: [[[2], [1]]]),
        // With one long side, which ends at the left.
        Glyph("Y.alt", pen(0, 0).to(38, 54), pen(76, 0).to(5.63, 100), ways: [[[2], [1]], [[1, 2]]]),
        // With a curved foot.
        Glyph("l.alt", pen(0, 0).to(0, 86).round(14, 86, 14, 180, 30)),
        // With a straight tail.
        Glyph("q.alt", .arc(25, 75, 25, -40, -360).to(50, 50).to(50, 140)),
        // With a curved foot.
        Glyph(
            "t.alt", pen(18, 12).to(18, 86).round(32, 86, 14, 180, 30), pen(0, 50).to(36, 50),
            ways: [[[2], [1]], [[1], [-2]], [[-2], [1]]]),
        // As a u with the tail of a g.
        Glyph(
            "y.alt",
            pen(0, 50).to(0, 78).round(22, 78, 22, 180, 0).to(44, 50).to(44, 118).round(22, 118, 22, 0, 150)),
        // With a tail below the base line.
        Glyph("z.alt", pen(0, 50).to(42, 50).to(16, 86).round(16, 113, 27, -90, 150)),
        // With a foot.
        Glyph("1.alt", pen(0, 22).to(24, 0).to(24, 100), pen(2, 100).to(46, 100), ways: [[[1], [-2]]]),
        // With a closed top.
        Glyph("4.alt", pen(46, 0).to(0, 62).to(64, 62), pen(46, 0).to(46, 100), ways: [[[2], [1]]]),
        // With a bar through the stem.
        Glyph("7.alt", pen(0, 0).to(60, 0).to(20, 100), pen(16, 52).to(60, 52), ways: [[[1], [-2]], [[2], [1]]]),
        // With a curved tail.
        Glyph("9.alt", .arc(30, 30, 30, 0, -360).to(60, 70).round(30, 70, 30, 0, 150)),
    ]
}
