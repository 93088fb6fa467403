import Text

/// Functions that split a Fastfile into statements.
enum RubyStatement {
    /// Returns the statements without comments. A statement continues while a bracket is open or if its line ends with
    /// a comma.
    static func all(in text: String) -> [LogicalLine] {
        var result: [LogicalLine] = []
        var depth = 0
        var continues = false
        var isDocumentation = false
        for (index, line) in LogicalLine.physicalLines(of: text).enumerated() {
            if line.hasPrefix("=begin") { isDocumentation = true }
            defer { if line.hasPrefix("=end") { isDocumentation = false } }
            let (code, balance) = scan(line)
            let text = code.trimmed
            guard !text.isEmpty, !isDocumentation, !line.hasPrefix("=end") else { continue }
            if continues {
                result[result.count - 1].text += " \(text)"
            } else {
                result.append(LogicalLine(number: index + 1, text: text))
            }
            depth += balance
            continues = depth > 0 || text.hasSuffix(",")
        }
        return result
    }

    /// Returns a Boolean value that indicates whether a statement opens a block that a later `end` closes.
    static func opensBlock(_ text: String) -> Bool {
        if text.hasSuffix(" do") || (text.hasSuffix("|") && text.contains(" do ")) { return true }
        // In `value = if …`, the keyword follows the first assignment.
        let expression = text.range(of: " = ").map { text[$0.upperBound...] } ?? ""
        let keywords: Set<Substring> = [
            "if", "unless", "case", "begin", "while", "until", "for", "def", "class", "module",
        ]
        return !text.hasSuffix(" end")
            && [text[...], expression].contains { keywords.contains($0.prefix { $0.isLetter || $0 == "_" }) }
    }

    /// Returns a line without its comment, and the number of its opening brackets minus that of its closing brackets.
    /// Brackets in strings and regular expressions do not count.
    private static func scan(_ line: String) -> (code: String, balance: Int) {
        var delimiter: Character?
        var isEscaped = false
        var previous: Character = " "
        // The last character that is no space. After an operator or an opening bracket, a slash does not divide.
        var last: Character = "("
        var balance = 0
        for index in line.indices {
            let character = line[index]
            defer {
                previous = character
                if !character.isWhitespace { last = character }
            }
            if delimiter != nil {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == delimiter {
                    delimiter = nil
                }
                continue
            }
            switch character {
            case "\"", "'", "`": delimiter = character
            case "/" where "(,=~[{!&|;:".contains(last): delimiter = character
            case "#" where previous.isWhitespace: return (String(line[..<index]), balance)
            case "(", "[", "{": balance += 1
            case ")", "]", "}": balance -= 1
            default: break
            }
        }
        return (line, balance)
    }
}
