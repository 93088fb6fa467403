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
    /// A Boolean value that indicates whether there is a comment on the line or directly above it, which may give a reason.
    let isExplained: Bool
}

/// Splits the lines of a Swift file into code and prose. It doesn't support nested block comments, which this package doesn't use.
func swiftLines(_ lines: [Substring]) -> [SwiftLine] {
    var isInText = false
    var isExplained = false
    return lines.map { line in
        if !isInText, !line.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\"") }) {
            defer { isExplained = false }
            return SwiftLine(
                text: line, code: String(line), words: words(of: line), comment: "", literals: "",
                isExplained: isExplained)
        }
        let bytes = Array(line.utf8)
        var (code, literals): ([UInt8], [UInt8]) = ([], [])
        var comment: Substring = ""
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote, bytes[index...].starts(with: [quote, quote, quote]) {
                isInText.toggle()
                index += 3
            } else if isInText {
                literals.append(byte)
                index += 1
            } else if byte == slash, bytes[index...].starts(with: [slash, slash]) {
                comment = line[line.utf8.index(line.startIndex, offsetBy: index)...]
                index = bytes.count
            } else if byte == quote {
                index = endOfString(in: bytes, from: index + 1, &literals)
                literals.append(space)
                code += [quote, quote]
            } else {
                code.append(byte)
                index += 1
            }
        }
        let text = String(decoding: code, as: UTF8.self)
        defer { isExplained = !comment.isEmpty && code.allSatisfy { $0 == space } }
        return SwiftLine(
            text: line, code: text, words: words(of: text[...]), comment: comment,
            literals: String(decoding: literals, as: UTF8.self),
            isExplained: !comment.isEmpty || isExplained)
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

private let (quote, slash, backslash, space) = (
    UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: " ")
)

/// Returns the index after a string literal, and appends the literal without its interpolations.
private func endOfString(in bytes: [UInt8], from start: Int, _ literal: inout [UInt8]) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != quote {
        if bytes[index] != backslash {
            literal.append(bytes[index])
            index += 1
        } else if bytes[index...].starts(with: [backslash, UInt8(ascii: "(")]) {
            index = endOfInterpolation(in: bytes, from: index + 2)
        } else {
            literal += bytes[index...].prefix(2)
            index += 2
        }
    }
    return min(index + 1, bytes.count)
}

private func endOfInterpolation(in bytes: [UInt8], from start: Int) -> Int {
    var (index, depth) = (start, 1)
    var ignored: [UInt8] = []
    while depth > 0, index < bytes.count {
        index += 1
        switch bytes[index - 1] {
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        case quote: index = endOfString(in: bytes, from: index, &ignored)
        default: break
        }
    }
    return index
}
