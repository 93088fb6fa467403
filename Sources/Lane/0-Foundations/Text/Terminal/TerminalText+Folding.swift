extension TerminalText {
    /// Returns a line as rows of at most `width` columns, broken at spaces. Further rows are indented by four columns
    /// more than the line. A longer word has a row of its own, so that it can be copied.
    package static func folded(_ line: String, to width: Int) -> [String] {
        guard width > 0, columns(line) > width else { return [line] }
        var rows = FoldedRows(width: width)
        for piece in EscapedText(line) { rows.add(piece) }
        return rows.finish()
    }
}

/// The rows of a folded line.
private struct FoldedRows {
    let width: Int
    private var rows: [String] = []
    private var row = ""
    private var rowColumns = 0
    /// The spaces before the current word.
    private var spaces = 0
    private var word = ""
    private var wordColumns = 0
    /// The escape sequences in effect at the start of the current word, and at its end.
    private var (style, nextStyle) = ("", "")
    private var indentation: Int?
    private var cells = CellCounter()

    init(width: Int) { self.width = width }

    mutating func add(_ piece: EscapedText.Piece) {
        switch piece {
        case .escape(let sequence):
            let text = String(sequence)
            word += text
            nextStyle = text == "\u{1B}[0m" || text == "\u{1B}[m" ? "" : nextStyle + text
        case .scalar(" "):
            endWord()
            spaces += 1
        case .scalar(let scalar):
            word.unicodeScalars.append(scalar)
            wordColumns += cells.width(of: scalar)
        }
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        let indentation = self.indentation ?? spaces
        self.indentation = indentation
        if rowColumns > 0, rowColumns + spaces + wordColumns > width {
            rows.append(row + (style.isEmpty ? "" : "\u{1B}[0m"))
            let start = min(indentation + 4, width / 2)
            row = String(repeating: " ", count: start) + style
            rowColumns = start
        } else {
            row += String(repeating: " ", count: spaces)
            rowColumns += spaces
        }
        row += word
        rowColumns += wordColumns
        (word, wordColumns, spaces, style) = ("", 0, 0, nextStyle)
    }

    mutating func finish() -> [String] {
        endWord()
        return rows + [row]
    }
}
