/// Functions that measure, truncate, align and sanitize text for a terminal.
package enum TerminalText {
    /// Returns the number of columns that a line occupies. Escape sequences occupy no column.
    package static func columns(_ line: String) -> Int {
        if isPrintableASCII(line) { return line.utf8.count }
        var cells = CellCounter()
        var columns = 0
        for piece in EscapedText(line) {
            if case .scalar(let scalar) = piece { columns += cells.width(of: scalar) }
        }
        return columns
    }

    /// Returns a Boolean value that indicates whether a line consists of printable ASCII only, one column a byte.
    private static func isPrintableASCII(_ line: String) -> Bool {
        line.withBytes { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
    }

    /// Returns the line truncated to at most `limit` columns, ending in an ellipsis if anything was cut off.
    package static func truncated(_ line: String, to limit: Int, ellipsis: String = "…") -> String {
        guard columns(line) > limit else { return line }
        let room = max(0, limit - columns(ellipsis))
        var (kept, used, isCut, hasEscape) = ("", 0, false, false)
        var cells = CellCounter()
        for piece in EscapedText(line) {
            switch piece {
            case .escape(let sequence):
                hasEscape = true
                kept.unicodeScalars += sequence
            case .scalar(let scalar):
                let width = cells.width(of: scalar)
                isCut = isCut || used + width > room
                if isCut { continue }
                used += width
                kept.unicodeScalars.append(scalar)
            }
        }
        return kept + (limit > 0 ? ellipsis : "") + (hasEscape ? "\u{1B}[0m" : "")
    }

    /// Returns the text padded with trailing spaces to a number of columns, or unchanged if it is longer.
    package static func padded(_ text: String, to columns: Int) -> String {
        let missing = columns - self.columns(text)
        return missing > 0 ? text + String(repeating: " ", count: missing) : text
    }

    /// Returns the text padded with leading spaces to a number of columns, or unchanged if it is longer.
    package static func rightAligned(_ text: String, to columns: Int) -> String {
        let missing = columns - self.columns(text)
        return missing > 0 ? String(repeating: " ", count: missing) + text : text
    }

    /// Returns the text without escape sequences and control characters, which could corrupt the screen. Keeps line
    /// feeds and replaces each tab with four spaces.
    package static func sanitized(_ text: String) -> String {
        mayContainControlCharacter(text) ? filtered(text, keepsStyle: false, tab: "    ").text : text
    }

    /// Returns the text without control characters other than line feeds and tabs, and without escape sequences other than
    /// the colors and weights of `TextStyle`.
    package static func printable(_ text: String) -> String {
        mayContainControlCharacter(text) ? filtered(text, keepsStyle: true, tab: "\t").text : text
    }

    /// Returns the text without control characters other than line feeds, and a Boolean value that indicates whether a
    /// style is in effect at its end.
    private static func filtered(
        _ text: some StringProtocol, keepsStyle: Bool, tab: String
    ) -> (text: String, isStyled: Bool) {
        var kept = String.UnicodeScalarView()
        var isStyled = false
        for piece in EscapedText(text) {
            switch piece {
            case .escape(let sequence):
                guard keepsStyle, isStyle(sequence) else { continue }
                kept.append(contentsOf: sequence)
                isStyled = !["\u{1B}[m", "\u{1B}[0m"].contains(String(sequence))
            case .scalar("\t"): kept.append(contentsOf: tab.unicodeScalars)
            case .scalar(let scalar):
                let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                if !isControl || scalar == "\n" { kept.append(scalar) }
            }
        }
        return (String(kept), isStyled)
    }

    /// Returns a Boolean value that indicates whether a sequence sets colors and weights (SGR). Some other sequences
    /// that end in `m` set keyboard modes.
    private static func isStyle(_ sequence: Substring.UnicodeScalarView) -> Bool {
        sequence.last == "m" && sequence.dropFirst().first == "["
            && sequence.dropFirst(2).dropLast().allSatisfy { ("0"..."9").contains($0) || $0 == ";" || $0 == ":" }
    }

    /// Returns the text without escape sequences and control characters, and with a space for each line break.
    package static func onOneLine(_ text: String) -> String {
        // The common case.
        if isPrintableASCII(text) { return text }
        let text = sanitized(text)
        guard text.utf8.contains(UInt8(ascii: "\n")) else { return text }
        return text.split(separator: "\n").joined(separator: " ")
    }

    /// Returns a line of a child process's output as it can be printed in one row. Removes escape sequences except
    /// colors if `keepsColor` is `true`, control characters, and the text before the last carriage return.
    package static func row(_ line: String, keepsColor: Bool) -> String {
        guard mayContainControlCharacter(line) else { return line }
        var line = Substring(line)
        if line.hasSuffix("\r") { line.removeLast() }
        if let lastReturn = line.unicodeScalars.lastIndex(of: "\r") {
            line = Substring(line.unicodeScalars[line.unicodeScalars.index(after: lastReturn)...])
        }
        let (kept, isColored) = filtered(line, keepsStyle: keepsColor, tab: "    ")
        return kept + (isColored ? "\u{1B}[0m" : "")
    }

    /// Returns `false` if the text has no control character other than a line feed. May also return `true` for such a
    /// text, because the byte 0xC2 starts the control characters from U+0080 and some other characters.
    private static func mayContainControlCharacter(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F || $0 == 0xC2 }
    }
}

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

/// Counts the terminal cells that a sequence of Unicode scalars occupies.
struct CellCounter {
    private var last = 0

    /// Returns the width of the next scalar: 0, 1 or 2 cells, by East Asian Width, general category and emoji variation
    /// selector.
    mutating func width(of scalar: Unicode.Scalar) -> Int {
        // U+FE0F requests emoji presentation, which is two cells wide.
        if scalar.value == 0xFE0F {
            defer { last = 0 }
            return last == 1 ? 1 : 0
        }
        last = Self.width(of: scalar)
        return last
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if (0x20..<0x7F).contains(scalar.value) { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let next = wide.partitioningIndex { $0.upperBound >= scalar.value }
        return next < wide.count && wide[next].contains(scalar.value) ? 2 : 1
    }

    /// The scalars with East Asian Width W or F in Unicode 16, in ascending order; the ranges include unassigned
    /// scalars.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653, 0x267F...0x267F, 0x268A...0x268F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE,
        0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
        0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
        0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50,
        0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
        0x1D300...0x1D376, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A,
        0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
        0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
        0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
        0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
        0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC,
        0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
        0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}

extension Array {
    /// Returns the index of the first element that satisfies the predicate, by binary search.
    ///
    /// - Precondition: The elements that satisfy the predicate follow all others.
    func partitioningIndex(where belongsInSecondPartition: (Element) -> Bool) -> Int {
        var (lower, upper) = (0, count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if belongsInSecondPartition(self[middle]) { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }
}

/// A text as a sequence of Unicode scalars and ECMA-48 escape sequences: CSI, control strings such as OSC, and
/// sequences of two characters.
///
/// A sequence never extends past the end of its line. An unterminated control string is not a sequence: the characters
/// after its introducer are text. A truncated sequence therefore doesn't hide the rest of the line.
struct EscapedText: Sequence, IteratorProtocol {
    enum Piece {
        case scalar(Unicode.Scalar)
        case escape(Substring.UnicodeScalarView)
    }

    private var rest: Substring.UnicodeScalarView

    init(_ text: some StringProtocol) { rest = Substring(text).unicodeScalars }

    mutating func next() -> Piece? {
        guard let first = rest.first else { return nil }
        guard first == "\u{1B}" else {
            rest.removeFirst()
            return .scalar(first)
        }
        let end = endOfEscape
        defer { rest = rest[end...] }
        return .escape(rest[..<end])
    }

    /// The end of the escape sequence that `rest` starts with.
    private var endOfEscape: Substring.UnicodeScalarView.Index {
        let body = rest.dropFirst()
        switch body.first {
        case "[": return end(of: body.dropFirst()) { (0x40...0x7E).contains($0.value) }
        case " ", "!", "\"", "#", "$", "%", "&", "'", "(", ")", "*", "+", ",", "-", ".", "/":
            return end(of: body) { $0.value > 0x2F }
        case "]", "P", "_", "^": return endOfControlString(body.dropFirst())
        case let scalar?: return scalar.value < 0x20 ? body.startIndex : rest.index(after: body.startIndex)
        case nil: return rest.endIndex
        }
    }

    /// Returns the index after the first scalar that satisfies `isLast`, or the index of the first control character,
    /// whichever comes first.
    private func end(
        of body: Substring.UnicodeScalarView, _ isLast: (Unicode.Scalar) -> Bool
    ) -> Substring.UnicodeScalarView.Index {
        guard let end = body.firstIndex(where: { isLast($0) || $0.value < 0x20 }) else { return rest.endIndex }
        return isLast(body[end]) ? body.index(after: end) : end
    }

    /// Returns the index after the terminator of a control string, BEL or `ESC \`; the start of `body` if there is
    /// none.
    private func endOfControlString(_ body: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index {
        guard let end = body.firstIndex(where: { ["\u{7}", "\u{1B}", "\n"].contains($0) }) else {
            return body.startIndex
        }
        let after = body.index(after: end)
        if body[end] == "\u{7}" { return after }
        return body[end] == "\u{1B}" && body[after...].first == "\\" ? body.index(after: after) : body.startIndex
    }
}
