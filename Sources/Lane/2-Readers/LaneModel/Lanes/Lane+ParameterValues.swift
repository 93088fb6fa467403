package import Expressions
package import Text

extension Lane {
    /// Parses the values of the parameters, for example from the command line. Returns them in the order of the
    /// parameters. A missing value is null.
    ///
    /// - Parameters:
    ///   - words: The words by the name of their parameter. The last one is the value, unless the parameter is variadic.
    ///   - isPartial: A Boolean value that indicates whether required values may be missing.
    ///   - defaults: The defaults from outside the lane files by the name of their parameter.
    package func parameterValues(
        of words: [String: [String]], isPartial: Bool = false, defaults: [String: Value] = [:]
    ) throws(Diagnostics) -> [(name: String, value: Value)] {
        var diagnostics = Diagnostics()
        for name in words.keys.sorted() where parameter(name) == nil {
            diagnostics.error(
                "lane '\(self.name)' has no parameter '\(name)'",
                hint: suggestion(for: name, among: parameters.map(\.name)))
        }
        let values = parameters.map { parameter in
            var value = defaults[parameter.name] ?? parameter.defaultValue ?? .null
            if let words = words[parameter.name] {
                value = parameter.value(of: words, &diagnostics)
            } else if parameter.isRequired, value == .null, !isPartial {
                diagnostics.error(
                    "lane '\(name)' needs a value for '\(parameter.name)'",
                    hint: parameter.variable.map { "use '--\(parameter.name)', or set \($0)" }
                        ?? "it is \(parameter.type.kind)")
            }
            return (name: parameter.name, value: value)
        }
        try diagnostics.throwIfErrors()
        return values
    }
}

extension Parameter {
    /// Parses the words of a command line.
    fileprivate func value(of words: [String], _ diagnostics: inout Diagnostics) -> Value {
        var values: [Value] = []
        for word in isVariadic ? words[...] : words.suffix(1) {
            do {
                values.append(try type.value(ofText: word))
            } catch {
                diagnostics.error("expected \(type.kind) for '\(name)', found '\(word)'", hint: error.hint)
            }
        }
        return isVariadic ? .list(values) : values.first ?? .null
    }

    /// Returns the value from the environment, or `nil` if the parameter has no variable or the variable has no value.
    func value(in environment: [String: String]) throws(Diagnostic) -> Value? {
        guard let variable, let text = environment[variable], !text.isEmpty else { return nil }
        if kind == .bool, let value = Self.answer(text) { return .bool(value) }
        return try value(of: text, from: "in the environment variable \(variable)")
    }

    /// Returns the Boolean value of an answer of a user, or of a variable as CI services and shells set it.
    package static func answer(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "y", "1": true
        case "false", "no", "n", "0": false
        default: nil
        }
    }

    /// Parses the text of a value. The error message contains `source`, such as `in the environment variable HOME`.
    func value(of text: String, from source: String) throws(Diagnostic) -> Value {
        do {
            return try type.value(ofText: text)
        } catch {
            let found = isSecret ? "another value" : "'\(text)'"
            throw Diagnostic(
                .error, "expected \(type.kind) for '\(name)', found \(found) \(source)", at: span, hint: error.hint)
        }
    }
}
