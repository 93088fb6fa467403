/// A line of Swift, split into code and prose.
struct SwiftLine: Sendable {
    let text: Substring
    /// The code, with string literals empty and without comments.
    let code: String
    /// The names and keywords of the code.
    let words: [Substring]
    /// The text of the comment, from its slashes to the end of the line.
    let comment: Substring
    /// The text of string literals, without interpolations.
    let literals: String
    /// A Boolean value that indicates whether the line is the first one of a doc comment.
    let startsDocComment: Bool
    /// A Boolean value that indicates whether there is a comment on the line or directly above it, which may give a reason.
    let isExplained: Bool
}

/// Splits the lines of a Swift file into code and prose. It doesn't support nested block comments, which this package doesn't use.
func swiftLines(_ lines: [Substring]) -> [SwiftLine] {
    var isInText = false
    var isExplained = false
    var isInDocComment = false
    return lines.map { line in
        let isDocComment = !isInText && line.drop(while: \.isWhitespace).hasPrefix("///")
        let startsDocComment = isDocComment && !isInDocComment
        isInDocComment = isDocComment
        if !isInText, !line.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\"") }) {
            defer { isExplained = false }
            return SwiftLine(
                text: line, code: String(line), words: words(of: line), comment: "", literals: "",
                startsDocComment: false, isExplained: isExplained)
        }
        var (code, literals) = ("", "")
        var comment: Substring = ""
        var rest = line[...]
        while let character = rest.first {
            if character == "\"", rest.hasPrefix("\"\"\"") {
                isInText.toggle()
                rest = rest.dropFirst(3)
            } else if isInText {
                literals.append(character)
                rest = rest.dropFirst()
            } else if character == "/", rest.hasPrefix("//") {
                comment = rest
                rest = ""
            } else if character == "\"" {
                rest = afterString(rest.dropFirst(), &literals)
                literals += " "
                code += "\"\""
            } else {
                code.append(character)
                rest = rest.dropFirst()
            }
        }
        defer { isExplained = !comment.isEmpty && code.allSatisfy(\.isWhitespace) }
        return SwiftLine(
            text: line, code: code, words: words(of: code[...]), comment: comment, literals: literals,
            startsDocComment: startsDocComment, isExplained: !comment.isEmpty || isExplained)
    }
}

/// Returns the names and keywords in a text.
func words(of text: Substring) -> [Substring] {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
    return text.utf8.split { byte in
        let letter = byte | 0x20
        return !(0x61...0x7A ~= letter || 0x30...0x39 ~= byte || byte == UInt8(ascii: "_"))
    }.map(Substring.init)
}

/// Returns the text after a string literal, and appends the literal without its interpolations.
private func afterString(_ text: Substring, _ literal: inout String) -> Substring {
    var rest = text
    while let character = rest.first {
        if character == "\"" { return rest.dropFirst() }
        if rest.hasPrefix("\\(") {
            rest = afterInterpolation(rest.dropFirst(2))
        } else {
            let length = character == "\\" ? 2 : 1
            literal += rest.prefix(length)
            rest = rest.dropFirst(length)
        }
    }
    return rest
}

private func afterInterpolation(_ text: Substring) -> Substring {
    var rest = text
    var depth = 1
    var ignored = ""
    while depth > 0, let character = rest.first {
        rest = rest.dropFirst()
        switch character {
        case "(": depth += 1
        case ")": depth -= 1
        case "\"": rest = afterString(rest, &ignored)
        default: break
        }
    }
    return rest
}
