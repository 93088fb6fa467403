package import Expressions
package import Text

/// The checked values of a lane's parameters.
package struct ParameterValues: Sendable {
    /// The values in the order of the parameters. A missing value is null.
    let values: [(name: String, value: Value)]

    /// Parses values, for example from the command line.
    ///
    /// - Parameters:
    ///   - words: The words by the name of their parameter. The last one is the value, unless the parameter is variadic.
    ///   - isPartial: A Boolean value that indicates whether required values may be missing.
    ///   - computed: Returns the default of a parameter from outside the lane files, or `nil` if there is none.
    package init(
        of lane: Lane, words: [String: [String]], isPartial: Bool = false,
        computed: (Parameter) throws(Diagnostic) -> Value? = { _ throws(Diagnostic) in nil }
    ) throws(Diagnostics) {
        var diagnostics = Diagnostics()
        for name in words.keys.sorted() where lane.parameter(name) == nil {
            let near = suggestion(for: name, among: lane.parameters.map(\.name))
            diagnostics.error(
                "lane '\(lane.name)' has no parameter '\(name)'", hint: near)
        }
        var values: [(name: String, value: Value)] = []
        for parameter in lane.parameters {
            var value = parameter.defaultValue ?? .null
            if words[parameter.name] == nil {
                do { value = try computed(parameter) ?? value } catch { diagnostics.add(error) }
            }
            if let words = words[parameter.name] {
                value = parameter.value(of: words, &diagnostics)
            } else if parameter.isRequired, value == .null, !isPartial {
                diagnostics.error(
                    "lane '\(lane.name)' needs a value for '\(parameter.name)'",
                    hint: parameter.variable.map { "use '--\(parameter.name)', or set \($0)" }
                        ?? "it is \(parameter.type.kind)")
            }
            values.append((parameter.name, value))
        }
        try diagnostics.throwIfErrors()
        self.values = values
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
        return try value(of: text, from: "in the environment variable \(variable)")
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
