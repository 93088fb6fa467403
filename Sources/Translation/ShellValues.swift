import Text

/// The variables and parameters of a justfile, expanded to text of a shell script.
struct ShellValues {
    /// The reason why a part has no equivalent.
    struct Problem: Error {
        let reason: String
    }

    /// The expressions of variables by name.
    var expressions: [String: String] = [:]
    /// The parameters of the recipe, with a Boolean value that indicates whether a parameter accepts several words.
    private var parameters: [String: Bool] = [:]

    func with(_ parameters: [(String, Bool)]) -> ShellValues {
        var copy = self
        copy.parameters = Dictionary(parameters) { first, _ in first }
        return copy
    }

    /// Returns the literal value of a variable, or `nil` if it depends on a command.
    func literal(_ name: String) -> String? { expressions[name].flatMap { literal(of: $0) } }

    func literal(of expression: String) -> String? {
        guard let text = shellText(of: expression, depth: 0), !text.contains("$") else { return nil }
        return text
    }

    /// Returns the value of an expression, or `nil` if only a shell can compute it.
    func text(of expression: String) -> String? {
        if parameters[expression] != nil { return TranslatedLane.Parameter.expression(of: expression) }
        guard let text = shellText(of: expression, depth: 0) else { return nil }
        return text.contains("$") && !text.hasPrefix("${{ parameters.") ? nil : text
    }

    /// Returns a command with values in place of `{{…}}`.
    func interpolated(_ text: String) -> Result<String, Problem> {
        var result = ""
        var rest = text[...]
        while let open = rest.range(of: "{{") {
            result += rest[..<open.lowerBound]
            rest = rest[open.upperBound...]
            if rest.first == "{" {
                // '{{{{' represents '{{'.
                result += "{{"
                rest = rest.dropFirst(rest.hasPrefix("{{") ? 2 : 0)
                continue
            }
            guard let close = rest.range(of: "}}") else { return .failure(Problem(reason: "this syntax")) }
            let expression = rest[..<close.lowerBound].trimmed
            guard let value = shellText(of: expression, depth: 0) else {
                return .failure(Problem(reason: "the expression '\(expression)'"))
            }
            // The shell does not expand variables in single quotes.
            if value.contains("$"), !value.hasPrefix("${{"), text.contains("'") {
                return .failure(Problem(reason: "'\(expression)' beside single quotes"))
            }
            result += value
            rest = rest[close.upperBound...]
        }
        return .success(result + rest)
    }

    /// Returns an expression as text of a shell script, or `nil` if there is no equivalent.
    private func shellText(of expression: String, depth: Int) -> String? {
        // The limit stops the expansion of variables that refer to themselves.
        guard depth < 20 else { return nil }
        let sums = expression.split(outsideQuotes: "+")
        if sums.count > 1 { return joined(sums, by: "", depth) }
        let paths = expression.split(outsideQuotes: "/")
        if paths.count > 1 { return joined(paths, by: "/", depth) }
        let text = expression.trimmed
        if text.utf8.count >= 2, let first = text.first, first == text.last {
            let inner = String(text.dropFirst().dropLast())
            switch first {
            case "'": return inner.contains("\\") || inner.contains("'") ? nil : inner
            case "\"": return inner.contains("\\") || inner.contains("\"") ? nil : inner
            case "`": return inner.contains("`") ? nil : "$(\(inner))"
            default: break
            }
        }
        if let isVariadic = parameters[text] {
            return isVariadic ? "$\(text)" : TranslatedLane.Parameter.expression(of: text)
        }
        if let other = expressions[text] { return shellText(of: other, depth: depth + 1) }
        return call(text, depth)
    }

    private func joined(_ parts: [String], by separator: String, _ depth: Int) -> String? {
        let texts = parts.compactMap { shellText(of: $0, depth: depth + 1) }
        return texts.count == parts.count ? texts.joined(separator: separator) : nil
    }

    private func call(_ text: String, _ depth: Int) -> String? {
        guard let open = text.range(of: "("), text.hasSuffix(")") else { return nil }
        let arguments = text[open.upperBound...].dropLast().split(outsideQuotes: ",")
            .filter { !$0.trimmed.isEmpty }.compactMap { shellText(of: $0, depth: depth + 1) }
        switch (String(text[..<open.lowerBound]), arguments.count) {
        case ("env_var", 1), ("env", 1): return "${\(arguments[0])}"
        case ("env_var_or_default", 2), ("env", 2): return "${\(arguments[0]):-\(arguments[1])}"
        case ("justfile_directory", 0), ("invocation_directory", 0): return "$PWD"
        case ("os", 0): return "${{ platform.os }}"
        case ("quote", 1) where arguments[0].hasPrefix("${{"): return arguments[0]
        default: return nil
        }
    }
}
