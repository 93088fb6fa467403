package import Diagnostics

/// What names in expressions stand for at the moment of evaluation.
package struct EvaluationContext: Sendable {
    package var parameters: [String: Value]
    package var environment: [String: String]
    /// Outputs of finished steps of the same group by step id, then by name.
    package var steps: [String: [String: Value]]
    package var matrix: [String: Value]
    package var git: [String: Value]
    package var ci: [String: Value]

    package init(
        parameters: [String: Value] = [:], environment: [String: String] = [:],
        steps: [String: [String: Value]] = [:], matrix: [String: Value] = [:], git: [String: Value] = [:],
        ci: [String: Value] = [:]
    ) {
        self.parameters = parameters
        self.environment = environment
        self.steps = steps
        self.matrix = matrix
        self.git = git
        self.ci = ci
    }
}

/// A parsed expression of the language in `${{ }}` and `if`.
package struct Expression: Sendable, Equatable {
    package let span: Span

    /// Works it out; a name that is not there, or a wrong type, is a diagnostic at its place.
    package func evaluate(in context: EvaluationContext) throws(Diagnostic) -> Value {
        .null
    }

    /// Its text as written.
    package var text: String { span.text }
}

/// A text with expressions in it: `v${{ parameters.version }}`.
package struct Template: Sendable, Equatable {
    package enum Part: Sendable, Equatable {
        case text(String)
        case expression(Expression)
    }

    package let parts: [Part]
    package let span: Span?

    package init(parts: [Part], span: Span? = nil) {
        self.parts = parts
        self.span = span
    }

    /// A text without expressions.
    package init(_ text: String) {
        self.init(parts: [.text(text)])
    }

    /// A lone expression keeps its type; anything else becomes a string.
    package func evaluate(in context: EvaluationContext) throws(Diagnostic) -> Value {
        .null
    }
}

/// The settings of an action as checked but not yet evaluated.
package struct SettingsTemplate: Sendable, Equatable {
    package indirect enum Node: Sendable, Equatable {
        case value(Value)
        case template(Template)
        case list([Node])
        case map([Member])
    }

    package struct Member: Sendable, Equatable {
        package let name: String
        package let node: Node

        package init(name: String, node: Node) {
            self.name = name
            self.node = node
        }
    }

    package let members: [Member]
    package let span: Span?

    package init(members: [Member], span: Span? = nil) {
        self.members = members
        self.span = span
    }

    /// All expressions worked out and the results checked against the types that the action wants.
    package func evaluate(in context: EvaluationContext) throws(Diagnostics) -> Settings {
        Settings(span: span)
    }
}
