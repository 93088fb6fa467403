/// Text as it stands in a terminal's cells.
package enum TerminalText {
    /// The columns that a line takes; escape sequences take none.
    package static func columns(_ line: String) -> Int {
        if isPlain(line) { return line.utf8.count }
        var columns = 0
        var scanner = EscapeScanner()
        for scalar in line.unicodeScalars where !scanner.consumes(scalar) { columns += width(of: scalar) }
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
        var scanner = EscapeScanner()
        for scalar in line.unicodeScalars {
            if scanner.consumes(scalar) {
                hasEscape = true
                kept.unicodeScalars.append(scalar)
            } else if !isCut, used + width(of: scalar) <= room {
                used += width(of: scalar)
                kept.unicodeScalars.append(scalar)
            } else {
                isCut = true
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
        var scanner = EscapeScanner()
        for scalar in text.unicodeScalars where !scanner.consumes(scalar) {
            switch scalar.value {
            case 0x09: kept.append(contentsOf: "    ".unicodeScalars)
            case 0..<0x0A, 0x0B..<0x20, 0x7F..<0xA0: break
            default: kept.append(scalar)
            }
        }
        return String(kept)
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
        var escape = String.UnicodeScalarView()
        var isColoured = false
        var scanner = EscapeScanner()
        for scalar in line.unicodeScalars {
            if scanner.consumes(scalar) {
                escape.append(scalar)
                if scanner.isInside { continue }
                if keepsColour, scalar == "m", escape.dropFirst().first == "[" {
                    kept.append(contentsOf: escape)
                    isColoured = !["\u{1B}[m", "\u{1B}[0m"].contains(String(escape))
                }
                escape.removeAll()
            } else if scalar == "\t" {
                kept.append(contentsOf: "    ".unicodeScalars)
            } else if scalar.value >= 0x20, !(0x7F..<0xA0).contains(scalar.value) {
                kept.append(scalar)
            }
        }
        return String(kept) + (isColoured ? "\u{1B}[0m" : "")
    }

    /// Most text has no control character at all, and this is quick to tell; 0xC2 begins those from U+0080 on.
    private static func mayMoveTheCursor(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F || $0 == 0xC2 }
    }

    /// 0, 1 or 2 columns, after Unicode's East Asian Width and general categories.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        if (0x20..<0x7F).contains(scalar.value) { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

/// Tells which scalars belong to an escape sequence (ECMA-48: CSI, OSC and the two-character ones).
private struct EscapeScanner {
    private enum State {
        case text, escape, control, command, commandEnd
    }

    private var state = State.text

    var isInside: Bool { state != .text }

    mutating func consumes(_ scalar: Unicode.Scalar) -> Bool {
        switch state {
        case .text:
            guard scalar.value == 0x1B else { return false }
            state = .escape
        case .escape:
            switch scalar {
            case "[": state = .control
            case "]", "P", "_", "^": state = .command
            case " "..."/": break
            default: state = .text
            }
        case .control:
            if (0x40...0x7E).contains(scalar.value) || scalar.value < 0x20 { state = .text }
        case .command:
            if scalar.value == 0x07 { state = .text } else if scalar.value == 0x1B { state = .commandEnd }
        case .commandEnd:
            state = .text
        }
        return true
    }
}
