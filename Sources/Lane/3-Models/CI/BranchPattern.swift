/// A branch or a branch pattern in the syntax of GitHub: `*` for a part of a path, `**` for any text, `!` for
/// exclusion.
struct BranchPattern {
    private static let marks = Set("*?+[]\\".utf8)

    /// The pattern without the `!` of an exclusion.
    let text: String
    let isExclusion: Bool
    var isLiteral: Bool { !text.utf8.contains { Self.marks.contains($0) } }

    init(_ text: String) {
        isExclusion = text.hasPrefix("!")
        self.text = isExclusion ? String(text.dropFirst()) : text
    }

    /// The pattern as a regular expression for the whole name.
    var regularExpression: String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "*" where rest.first == "*":
                rest.removeFirst()
                result += ".*"
            case "*": result += "[^\\/]*"
            case "\\": if let next = rest.popFirst() { result += Self.escaped(next) }
            case "?", "+", "[", "]": result.append(character)
            default: result += Self.escaped(character)
            }
        }
        return result
    }

    private static func escaped(_ character: Character) -> String {
        "/.(){}^$|*?+[]\\".contains(character) ? "\\\(character)" : String(character)
    }

    func matches(_ branch: String) -> Bool {
        isLiteral ? branch == text : branch.hasPrefix(literalStart)
    }

    /// The text before the first special character, or before a character that this makes optional.
    private var literalStart: String {
        let bytes = text.utf8
        guard let end = bytes.firstIndex(where: { Self.marks.contains($0) }) else { return text }
        let isOptional = bytes[end] == UInt8(ascii: "?") && end > bytes.startIndex
        return String(text[..<(isOptional ? bytes.index(before: end) : end)])
    }
}
