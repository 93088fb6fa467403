/// Text as it stands in a terminal's cells.
package enum TerminalText {
    /// The columns that a line takes; escape sequences take none.
    package static func columns(_ line: String) -> Int {
        if isPlain(line) { return line.utf8.count }
        var cells = CellCounter()
        var columns = 0
        for piece in EscapedText(line) {
            if case .scalar(let scalar) = piece { columns += cells.width(of: scalar) }
        }
        return columns
    }

    /// Whether each byte is a column, as in most lines.
    private static func isPlain(_ line: String) -> Bool {
        line.withBytes { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
    }

    /// The line cut to at most `limit` columns, an ellipsis in place of what is left out.
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

    /// With spaces behind, up to a number of columns; a longer text stays whole.
    package static func padded(_ text: String, to columns: Int) -> String {
        let missing = columns - self.columns(text)
        return missing > 0 ? text + String(repeating: " ", count: missing) : text
    }

    /// With spaces in front, up to a number of columns; a longer text stays whole.
    package static func rightAligned(_ text: String, to columns: Int) -> String {
        let missing = columns - self.columns(text)
        return missing > 0 ? String(repeating: " ", count: missing) + text : text
    }

    /// Without escape sequences and control characters, which in somebody else's text could undo the screen.
    package static func harmless(_ text: String) -> String {
        guard mayMoveTheCursor(text) else { return text }
        var kept = String.UnicodeScalarView()
        for piece in EscapedText(text) {
            guard case .scalar(let scalar) = piece else { continue }
            switch scalar.value {
            case 0x09: kept.append(contentsOf: "    ".unicodeScalars)
            case 0..<0x0A, 0x0B..<0x20, 0x7F..<0xA0: break
            default: kept.append(scalar)
            }
        }
        return String(kept)
    }

    /// The same on one line, as names have to be.
    package static func onOneLine(_ text: String) -> String {
        // Most names are plain, and every step of a plan has one.
        if text.withBytes({ $0.allSatisfy { (0x20..<0x7F).contains($0) } }) { return text }
        let text = harmless(text)
        guard text.utf8.contains(UInt8(ascii: "\n")) else { return text }
        return text.split(separator: "\n").joined(separator: " ")
    }

    /// A line of a child for a row of ours: colours stay, what moves the cursor goes, and of a line that was
    /// overwritten by carriage returns only its last form is left.
    package static func row(_ line: String, keepsColour: Bool) -> String {
        guard mayMoveTheCursor(line) else { return line }
        var line = Substring(line)
        if line.hasSuffix("\r") { line.removeLast() }
        if let lastReturn = line.unicodeScalars.lastIndex(of: "\r") {
            line = Substring(line.unicodeScalars[line.unicodeScalars.index(after: lastReturn)...])
        }
        var kept = String.UnicodeScalarView()
        var isColoured = false
        for piece in EscapedText(line) {
            switch piece {
            case .escape(let sequence):
                guard keepsColour, sequence.last == "m", sequence.dropFirst().first == "[" else { continue }
                kept.append(contentsOf: sequence)
                isColoured = !["\u{1B}[m", "\u{1B}[0m"].contains(String(sequence))
            case .scalar("\t"): kept.append(contentsOf: "    ".unicodeScalars)
            case .scalar(let scalar):
                if scalar.value >= 0x20, !(0x7F..<0xA0).contains(scalar.value) { kept.append(scalar) }
            }
        }
        return String(kept) + (isColoured ? "\u{1B}[0m" : "")
    }

    /// Most text has no control character at all, and this is quick to tell; 0xC2 begins those from U+0080 on.
    private static func mayMoveTheCursor(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F || $0 == 0xC2 }
    }
}
