import Tracer

/// A line of a terminal. It contains escape sequences only where the color changes.
struct TerminalLine {
    let isColored: Bool
    private var text = ""
    private var current = ""

    init(isColored: Bool) {
        self.isColored = isColored
    }

    mutating func add(_ character: Character, color: TraceColor? = nil, behind: TraceColor? = nil) {
        if isColored {
            let codes =
                (color.map { ";38;5;\($0.terminalIndex)" } ?? "") + (behind.map { ";48;5;\($0.terminalIndex)" } ?? "")
            if codes != current { text += "\u{1B}[0\(codes)m" }
            current = codes
        }
        text.append(character)
    }

    var finished: String { current.isEmpty ? text : text + "\u{1B}[0m" }
}
