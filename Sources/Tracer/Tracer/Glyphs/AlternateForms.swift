enum AlternateForms {
    static let all: [Glyph] = [
        // From the foot of the left side in one stroke.
        Glyph("A.alt", pen(0, 100).to(40, 0).to(80, 100), pen(14.4, 64).to(65.6, 64), ways: [[[1], [-2]]]),
        // With a bar on top.
        Glyph(
            "J.alt", pen(56, 0).to(56, 72).round(28, 72, 28, 0, 165), pen(34, 0).to(78, 0),
            ways: [[[2], [1]], [[1], [-2]], [[-2], [1]], [[2, 1]]]),
        // From right to left first.
        Glyph("X.alt", pen(72, 0).to(0, 100), pen(0, 0).to(72, 100), ways: [[[2], [1]]]),
        // With one long side, which ends at the left.
        Glyph("Y.alt", pen(0, 0).to(38, 54), pen(76, 0).to(5.63, 100), ways: [[[2], [1]], [[1, 2]]]),
        // With a bar through the stem.
        Glyph("7.alt", pen(0, 0).to(60, 0).to(20, 100), pen(16, 52).to(60, 52), ways: [[[1], [-2]], [[2], [1]]]),
    ]
}
