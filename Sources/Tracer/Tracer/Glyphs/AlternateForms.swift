enum AlternateForms {
    static let all: [Glyph] = [
        // From the foot of the left side in one stroke.
        Glyph("A.alt", pen(0, 100).to(40, 0).to(80, 100), pen(14.4, 64).to(65.6, 64)),
        // With a bar on top.
        Glyph("J.alt", pen(56, 0).to(56, 72).round(28, 72, 28, 0, 165), pen(34, 0).to(78, 0)),
        // From right to left first.
        Glyph("X.alt", pen(72, 0).to(0, 100), pen(0, 0).to(72, 100)),
        // With one long side, which ends at the left.
        Glyph("Y.alt", pen(0, 0).to(38, 54), pen(76, 0).to(5.63, 100)),
        // With a bar through the stem.
        Glyph("7.alt", pen(0, 0).to(60, 0).to(20, 100), pen(16, 52).to(60, 52)),
    ]
}
