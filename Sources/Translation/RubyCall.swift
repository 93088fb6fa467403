import Text

/// The call of an action with literals, such as `sh("swift build")` or `run_tests(scheme: "App")`.
struct RubyCall {
    let name: String
    /// The values without a name, as text in a lane file.
    private(set) var texts: [String] = []
    /// The values by name.
    private(set) var values: [String: String] = [:]

    /// Creates a call from a statement; `nil` if it is another statement, or has a value that is not a literal.
    init?(_ statement: String) {
        let head = statement.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        guard let first = head.first, first.isLetter else { return nil }
        name = String(head)
        var rest = statement.dropFirst(head.count).trimmed
        if rest.hasPrefix("("), rest.hasSuffix(")") { rest = String(rest.dropFirst().dropLast()).trimmed }
        for part in rest.split(outsideQuotes: ",").map(\.trimmed) where !part.isEmpty {
            let key = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let after = part.dropFirst(key.count)
            let isNamed = !key.isEmpty && after.hasPrefix(":") && !after.hasPrefix("::")
            guard let value = parseValue(isNamed ? after.dropFirst().trimmed : part) else { return nil }
            if isNamed { values[String(key)] = value } else { texts.append(value) }
        }
    }

    /// Returns a literal without its quotes, or `nil` for any other expression.
    static func literal(_ text: String) -> String? {
        guard text.utf8.count >= 2, let quote = text.first, quote == "\"" || quote == "'", text.last == quote else {
            return ["true", "false"].contains(text) || text.allSatisfy(\.isNumber) ? text : nil
        }
        let inner = text.dropFirst().dropLast()
        guard !inner.contains(quote), !inner.contains("\\") else { return nil }
        return String(inner)
    }

    private func parseValue(_ text: String) -> String? {
        if let name = Self.option(text[...]) { return TranslatedLane.Parameter.expression(of: name) }
        guard let literal = Self.literal(text) else { return nil }
        guard text.hasPrefix("\"") else { return literal }
        var result = ""
        var rest = literal[...]
        while let open = rest.range(of: "#{") {
            result += rest[..<open.lowerBound]
            guard let close = rest.range(of: "}", after: open.upperBound),
                let name = Self.option(rest[open.upperBound..<close.lowerBound])
            else { return nil }
            result += TranslatedLane.Parameter.expression(of: name)
            rest = rest[close.upperBound...]
        }
        return result + rest
    }

    /// Returns the names of all options of the lane, `options[:name]`, in a statement.
    static func options(in statement: String) -> [String] {
        statement.parts(separatedBy: "options[").dropFirst().compactMap { rest in
            rest.firstIndex(of: "]").flatMap { option("options[\(rest[...$0])") }
        }
    }

    /// Returns the name in `options[:name]`.
    private static func option(_ text: Substring) -> String? {
        guard text.hasPrefix("options[:"), text.hasSuffix("]") else { return nil }
        let name = String(text.dropFirst("options[:".count).dropLast())
        return name.isIdentifier ? name : nil
    }
}
