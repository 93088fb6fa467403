package import Expressions
package import Text

/// The checked values of a lane's parameters.
package struct ParameterValues: Sendable {
    /// The values in the order of the parameters. A missing value is null.
    package let values: [(name: String, value: Value)]

    /// Parses values, for example from the command line.
    ///
    /// - Parameters:
    ///   - isPartial: A Boolean value that indicates whether required values may be missing.
    ///   - computed: Returns the default of a parameter from outside the lane files, or `nil` if there is none.
    package init(
        of lane: Lane, texts: [String: String], isPartial: Bool = false,
        computed: (Parameter) throws(Diagnostic) -> Value? = { _ throws(Diagnostic) in nil }
    ) throws(Diagnostics) {
        var diagnostics = Diagnostics()
        for name in texts.keys.sorted() where lane.parameter(name) == nil {
            let near = nearest(to: name, among: lane.parameters.map(\.name))
            diagnostics.error(
                "lane '\(lane.name)' has no parameter '\(name)'", hint: near.map { "did you mean '\($0)'?" })
        }
        var values: [(name: String, value: Value)] = []
        for parameter in lane.parameters {
            var value = parameter.defaultValue ?? .null
            if texts[parameter.name] == nil {
                do { value = try computed(parameter) ?? value } catch { diagnostics.add(error) }
            }
            if let text = texts[parameter.name] {
                do {
                    value = try parameter.type.value(ofText: text)
                } catch {
                    diagnostics.error(
                        "expected \(parameter.type.kind) for '\(parameter.name)', found '\(text)'", hint: error.hint)
                }
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
    /// Returns the value from the environment, or `nil` if the parameter has no variable or the variable has no value.
    package func value(in environment: [String: String]) throws(Diagnostic) -> Value? {
        guard let variable, let text = environment[variable], !text.isEmpty else { return nil }
        return try value(of: text, from: "in the environment variable \(variable)")
    }

    /// Parses the text of a value. The error message contains `source`, such as `in the environment variable HOME`.
    package func value(of text: String, from source: String) throws(Diagnostic) -> Value {
        do {
            return try type.value(ofText: text)
        } catch {
            let found = isSecret ? "another value" : "'\(text)'"
            throw Diagnostic(
                .error, "expected \(type.kind) for '\(name)', found \(found) \(source)", at: span, hint: error.hint)
        }
    }
}
