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
            let code = withoutComment(line).trimmed
            guard !code.isEmpty, !isDocumentation, !line.hasPrefix("=end") else { continue }
            if continues {
                result[result.count - 1].text += " \(code)"
            } else {
                result.append(LogicalLine(number: index + 1, text: code))
            }
            depth += balance(code)
            continues = depth > 0 || code.hasSuffix(",")
        }
        return result
    }

    /// Returns a Boolean value that indicates whether a statement opens a block that a later `end` closes.
    static func opensBlock(_ text: String) -> Bool {
        if text.hasSuffix(" do") || (text.hasSuffix("|") && text.contains(" do ")) { return true }
        let first = text.prefix { $0.isLetter }
        let keywords: Set<Substring> = [
            "if", "unless", "case", "begin", "while", "until", "for", "def", "class", "module",
        ]
        return keywords.contains(first) && !text.hasSuffix(" end")
    }

    private static func withoutComment(_ line: String) -> String {
        var quote: Character?
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if character == "\"" || character == "'" {
                if quote == nil { quote = character } else if quote == character, previous != "\\" { quote = nil }
            }
            if character == "#", quote == nil, previous == " " || previous == "\t" { return String(line[..<index]) }
            previous = character
        }
        return line
    }

    /// Returns the number of open brackets minus the number of closing brackets in a line.
    private static func balance(_ line: String) -> Int {
        var quote: Character?
        var depth = 0
        for character in line {
            switch character {
            case "\"", "'": if quote == nil { quote = character } else if quote == character { quote = nil }
            case "(", "[", "{": if quote == nil { depth += 1 }
            case ")", "]", "}": if quote == nil { depth -= 1 }
            default: break
            }
        }
        return depth
    }
}
