/// One line of Swift, with what the compiler sees of it: no comment, and nothing between quotation marks.
struct SwiftLine {
    let text: Substring
    let code: String
    /// Words beside it or directly above it, that may give a reason.
    let isExplained: Bool
}

/// Splits a Swift file into lines well enough for rules about words; nested block comments are not used here.
func swiftLines(_ lines: [Substring]) -> [SwiftLine] {
    var isInText = false
    var isExplained = false
    return lines.map { line in
        var code = ""
        var hasComment = false
        var rest = line[...]
        while let character = rest.first {
            if rest.hasPrefix("\"\"\"") {
                isInText.toggle()
                rest = rest.dropFirst(3)
            } else if isInText {
                rest = rest.dropFirst()
            } else if rest.hasPrefix("//") {
                hasComment = true
                rest = ""
            } else if character == "\"" {
                rest = afterString(rest.dropFirst())
                code += "\"\""
            } else {
                code.append(character)
                rest = rest.dropFirst()
            }
        }
        defer { isExplained = hasComment && code.allSatisfy(\.isWhitespace) }
        return SwiftLine(text: line, code: code, isExplained: hasComment || isExplained)
    }
}

private func afterString(_ text: Substring) -> Substring {
    var rest = text
    while let character = rest.first {
        if character == "\"" { return rest.dropFirst() }
        rest = rest.dropFirst(character == "\\" ? 2 : 1)
    }
    return rest
}
