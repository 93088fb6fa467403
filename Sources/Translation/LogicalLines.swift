import Text

/// A line of a file and its continuation lines.
struct LogicalLine {
    /// The number of its first line, starting at 1.
    let number: Int
    /// The text, with a line feed between continued lines.
    var text: String

    var isBlank: Bool { text.utf8.allSatisfy(\.isBlank) }
    var isIndented: Bool { text.utf8.first?.isBlank ?? false }

    /// Returns the lines of a text, including empty lines.
    static func physicalLines(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self) }
    }

    /// Returns the logical lines of a text. A backslash at the end of a line continues it.
    static func all(in text: String) -> [LogicalLine] {
        var result: [LogicalLine] = []
        var continues = false
        for (index, line) in physicalLines(of: text).enumerated() {
            if continues {
                result[result.count - 1].text += "\n\(line)"
            } else {
                result.append(LogicalLine(number: index + 1, text: line))
            }
            continues = line.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
        }
        return result
    }
}

extension StringProtocol {
    /// The text without whitespace at both ends.
    var trimmed: String {
        var bytes = Array(utf8)[...]
        while bytes.first?.isSpace == true { bytes.removeFirst() }
        while bytes.last?.isSpace == true { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A Boolean value that indicates whether the text is an identifier of C in which `-` is also allowed.
    var isIdentifier: Bool {
        guard let first = utf8.first, first.isIdentifierStart else { return false }
        return utf8.allSatisfy { $0.isIdentifierContinuation || $0 == UInt8(ascii: "-") }
    }

    /// Returns the parts between separators outside quotes, brackets and backticks.
    func split(outsideQuotes separator: Character) -> [String] {
        var parts = [""]
        var quote: Character?
        var depth = 0
        for character in self {
            switch character {
            case "\"", "'", "`":
                if quote == nil { quote = character } else if quote == character { quote = nil }
            case "(", "[", "{": if quote == nil { depth += 1 }
            case ")", "]", "}": if quote == nil { depth -= 1 }
            default: break
            }
            if character == separator, quote == nil, depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
