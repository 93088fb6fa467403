import Text

/// A script for `sh` that reads values from variables with the quotes that their context requires.
///
/// A value is never part of the script, so the shell cannot run it as a command. A reference is `"${LANE_VALUE_1}"`
/// outside quotes, `${LANE_VALUE_1}` in double quotes or a here-document, and `'"${LANE_VALUE_1}"'` in single quotes.
struct ShellScript {
    private enum Context: Equatable {
        case open
        case doubleQuoted
        case singleQuoted
        /// Inside `$(…)` or `(…)`.
        case parenthesis
        /// Inside `((…))`, which some shells evaluate. It has no here-documents.
        case doubleParenthesis
        /// Inside `$((…))`, where some shells allow no quotes.
        case arithmetic
        case comment
        /// The rest of a here-document, up to a line with its delimiter.
        case hereDocument(word: String, stripsTabs: Bool, isLiteral: Bool)
    }

    private(set) var text = ""
    private(set) var variables: [(name: String, value: String)] = []
    private let firstVariable: Int
    private var contexts: [Context] = [.open]
    /// Here-documents that start on the next line.
    private var pending: [Context] = []
    private var line = String.UnicodeScalarView()
    private var previous: Unicode.Scalar = "\n"

    init(firstVariable: Int = 1) {
        self.firstVariable = firstVariable
    }

    mutating func append(value: String) {
        let name = "LANE_VALUE_\(firstVariable + variables.count)"
        variables.append((name, value))
        switch contexts.last ?? .open {
        case .open, .parenthesis, .doubleParenthesis: text += "\"${\(name)}\""
        case .doubleQuoted, .comment, .hereDocument, .arithmetic: text += "${\(name)}"
        case .singleQuoted: text += "'\"${\(name)}\"'"
        }
        line.append("$")
        previous = "}"
    }

    /// Appends values as separate words.
    mutating func append(values: [String]) {
        for (index, value) in values.enumerated() {
            if index > 0 { append(" ") }
            append(value: value)
        }
    }

    mutating func append(_ part: String) {
        text += part
        // A shell reads scalars. A quote and a combining mark after it are one `Character`.
        var rest = part.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            consume(scalar, &rest)
            if scalar == "\n" { line.removeAll() } else { line.append(scalar) }
            previous = scalar
        }
    }

    private mutating func consume(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
        switch contexts.last ?? .open {
        case .comment:
            if scalar == "\n" {
                contexts.removeLast()
                beginHereDocument()
            }
        case .singleQuoted:
            if scalar == "'" { contexts.removeLast() }
        case .doubleQuoted:
            switch scalar {
            case "\\": skip(&rest)
            case "\"": contexts.removeLast()
            case "(" where previous == "$": beginParenthesis(rest)
            default: break
            }
        case .arithmetic:
            switch scalar {
            case "\\": skip(&rest)
            case "(" where previous == "$": beginParenthesis(rest)
            case "(": contexts.append(.arithmetic)
            case ")": contexts.removeLast()
            default: break
            }
        case .hereDocument(let word, let stripsTabs, _):
            guard scalar == "\n" else { return }
            let ended = String(stripsTabs ? line.drop { $0 == "\t" } : line[...])
            if ended == word {
                contexts.removeLast()
                beginHereDocument()
            }
        case .open, .parenthesis, .doubleParenthesis: consumeUnquoted(scalar, &rest)
        }
    }

    private mutating func beginParenthesis(_ rest: Substring.UnicodeScalarView) {
        if previous == "$", rest.first == "(" { return contexts.append(.arithmetic) }
        contexts.append(previous == "(" ? .doubleParenthesis : .parenthesis)
    }

    private mutating func consumeUnquoted(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
        switch scalar {
        case "\\": skip(&rest)
        case "'": contexts.append(.singleQuoted)
        case "\"": contexts.append(.doubleQuoted)
        case "(": beginParenthesis(rest)
        case ")": if contexts.last != .open { contexts.removeLast() }
        case "#" where previous.properties.isWhitespace || previous == ";" || previous == "(": contexts.append(.comment)
        case "<" where rest.first == "<" && previous != "<" && contexts.last != .doubleParenthesis:
            parseHereDocument(rest.dropFirst())
        case "\n": beginHereDocument()
        default: break
        }
    }

    private mutating func skip(_ rest: inout Substring.UnicodeScalarView) {
        if let next = rest.popFirst() { line.append(next) }
    }

    /// Parses the word after `<<`.
    private mutating func parseHereDocument(_ text: Substring.UnicodeScalarView) {
        var text = text
        let stripsTabs = text.first == "-"
        if stripsTabs { text = text.dropFirst() }
        text = text.drop { $0 == " " || $0 == "\t" }
        let word = text.prefix { !$0.properties.isWhitespace && !";&|<>()".unicodeScalars.contains($0) }
        let bare = String(String.UnicodeScalarView(word.filter { !"'\"\\".unicodeScalars.contains($0) }))
        guard !bare.isEmpty else { return }
        pending.append(
            .hereDocument(word: bare, stripsTabs: stripsTabs, isLiteral: bare.unicodeScalars.count < word.count))
    }

    private mutating func beginHereDocument() {
        if !pending.isEmpty { contexts.append(pending.removeFirst()) }
    }

    /// The script with values in place of the references to variables, as a user can run it.
    var shown: String { Self.inlining(variables, in: text) }

    /// Returns a script with values in place of a part, quoted so that a shell reads the same words.
    static func replacing(_ part: String, with values: [String], in script: String) -> String {
        var result = ShellScript()
        for (index, text) in script.parts(separatedBy: part).enumerated() {
            if index > 0 { result.append(values: values) }
            result.append(String(text))
        }
        return result.shown
    }

    /// Returns a script with values in place of the references to variables, quoted so that a shell reads the same words.
    static func inlining(_ variables: [(name: String, value: String)], in script: String) -> String {
        var reader = ShellScript()
        var result = ""
        var rest = script[...]
        for (name, value) in variables {
            guard let reference = rest.range(of: "${\(name)}") else { continue }
            var before = rest[..<reference.lowerBound]
            rest = rest[reference.upperBound...]
            if before.utf8.last == UInt8(ascii: "\""), rest.utf8.first == UInt8(ascii: "\"") {
                var start = reader
                start.append(String(Substring(before.utf8.dropLast())))
                if start.isUnquoted {
                    // The quotes belong to the reference.
                    before = Substring(before.utf8.dropLast())
                    rest = Substring(rest.utf8.dropFirst())
                }
            }
            reader.append(String(before))
            result += String(before) + reader.shown(value)
            reader.previous = "}"
        }
        return result + String(rest)
    }

    private var isUnquoted: Bool { [.open, .parenthesis, .doubleParenthesis].contains(contexts.last ?? .open) }

    /// Returns the text that a shell reads as a value in the current context.
    private func shown(_ value: String) -> String {
        func escaped(_ characters: String) -> String {
            var text = String.UnicodeScalarView()
            for scalar in value.unicodeScalars {
                if characters.unicodeScalars.contains(scalar) { text.append("\\") }
                text.append(scalar)
            }
            return String(text)
        }
        return switch contexts.last ?? .open {
        case .open, .parenthesis, .doubleParenthesis: ShellWords.quoted(value)
        case .doubleQuoted, .arithmetic: escaped("\\\"$`")
        case .hereDocument: escaped("\\$`")
        case .singleQuoted: value
        case .comment: value.replacing("\n", with: " ")
        }
    }

    /// A Boolean value that indicates whether the shell does not expand variables at this point.
    var isLiteralContext: Bool {
        if case .hereDocument(_, _, let isLiteral)? = contexts.last { isLiteral } else { false }
    }
}
