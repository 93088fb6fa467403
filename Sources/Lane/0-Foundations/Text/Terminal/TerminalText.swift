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
        guard mayContainControlCharacter(text) else { return text }
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

    /// Returns the text without control characters other than line feeds and tabs, and without escape sequences other than
    /// the colors and weights of `TextStyle`.
    package static func printable(_ text: String) -> String {
        guard mayContainControlCharacter(text) else { return text }
        var kept = String.UnicodeScalarView()
        for piece in EscapedText(text) {
            switch piece {
            case .escape(let sequence):
                if isStyle(sequence) { kept.append(contentsOf: sequence) }
            case .scalar(let scalar):
                let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                if !isControl || scalar == "\n" || scalar == "\t" { kept.append(scalar) }
            }
        }
        return String(kept)
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
        var kept = String.UnicodeScalarView()
        var isColored = false
        for piece in EscapedText(line) {
            switch piece {
            case .escape(let sequence):
                guard keepsColor, isStyle(sequence) else { continue }
                kept.append(contentsOf: sequence)
                isColored = !["\u{1B}[m", "\u{1B}[0m"].contains(String(sequence))
            case .scalar("\t"): kept.append(contentsOf: "    ".unicodeScalars)
            case .scalar(let scalar):
                if scalar.value >= 0x20, !(0x7F..<0xA0).contains(scalar.value) { kept.append(scalar) }
            }
        }
        return String(kept) + (isColored ? "\u{1B}[0m" : "")
    }

    /// Returns `false` if the text has no control character other than a line feed. May also return `true` for such a
    /// text, because the byte 0xC2 starts the control characters from U+0080 and some other characters.
    private static func mayContainControlCharacter(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F || $0 == 0xC2 }
    }
}
