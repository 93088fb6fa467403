enum Digits {
    static let all: [Glyph] = [
        Glyph("0", .arc(32, 50, 32, 50, -90, -450)),
        Glyph("1", pen(0, 22).to(24, 0).to(24, 100)),
        Glyph("2", .arc(30, 30, 30, 195, 400).to(0, 100).to(62, 100)),
        Glyph("3", .arc(28, 24, 26, 24, 205, 450).round(28, 74, 30, 26, -90, 155)),
        Glyph("4", pen(14, 0).to(0, 60).to(62, 60), pen(46, 0).to(46, 100), ways: [[[2], [1]]]),
        // With the bar first, or in one stroke from the right end of the bar.
        Glyph(
            "5", pen(10, 0).to(5.8, 43.8).round(28, 68, 33, 32, 228, 512), pen(10, 0).to(56, 0),
            ways: [[[2], [1]], [[-2, 1]], [[1], [-2]], [[-2], [1]]]),
        Glyph("6", .arc(76, 69, 76, 244, 180).round(31, 69, 31, 180, -180)),
        Glyph("7", pen(0, 0).to(60, 0).to(20, 100)),
        // As two rings.
        Glyph(
            "8",
            .arc(30, 24, 26, 24, -90, -270).round(30, 74, 30, 26, -90, 270).round(30, 24, 26, 24, 90, -90),
            parts: .ringsOf8),
        Glyph("9", .arc(30, 30, 30, 0, -360).to(58, 100)),
    ]
}
