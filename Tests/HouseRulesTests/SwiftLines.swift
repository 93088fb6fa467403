/// One line of Swift, with what the compiler sees of it: no comment, and nothing between quotation marks.
struct SwiftLine: Sendable {
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
        if !isInText, !line.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\"") }) {
            defer { isExplained = false }
            return SwiftLine(text: line, code: String(line), isExplained: isExplained)
        }
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
        rest = rest.hasPrefix("\\(") ? afterInterpolation(rest.dropFirst(2)) : rest.dropFirst(character == "\\" ? 2 : 1)
    }
    return rest
}

private func afterInterpolation(_ text: Substring) -> Substring {
    var rest = text
    var depth = 1
    while depth > 0, let character = rest.first {
        rest = rest.dropFirst()
        switch character {
        case "(": depth += 1
        case ")": depth -= 1
        case "\"": rest = afterString(rest)
        default: break
        }
    }
    return rest
}
