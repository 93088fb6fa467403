import Tracer

extension TraceColor {
    var brightness: Int { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) }

    /// The index of the nearest color in the 6 × 6 × 6 cube or the gray ramp of 256-color terminals.
    var terminalIndex: Int {
        if max(red, green, blue) - min(red, green, blue) < 12 {
            let level = (Int(red) + Int(green) + Int(blue)) / 3
            if level < 4 { return 16 }
            if level > 246 { return 231 }
            return 232 + min(23, max(0, (level - 3) / 10))
        }
        func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return 16 + 36 * step(red) + 6 * step(green) + step(blue)
    }

    /// The letter for the color in a picture without color.
    var letter: Character {
        let standard = TracePicture()
        if self == standard.guideColor { return "." }
        if self == standard.keyPointColor { return "*" }
        if self == standard.cueColor { return "@" }
        if self == standard.endColor { return "%" }
        if self == standard.writingLineColor { return "-" }
        for (color, letter) in [(TracedLine.Color.red, Character("x")), (.green, "+"), (.amber, "o")]
        where self == standard.standardColor(color) {
            return letter
        }
        return "#"
    }
}
