package import Diagnostics
import YAML

/// A parsed expression of the language in `${{ }}` and `if`.
package struct Expression: Sendable, Equatable {
    let root: ExpressionNode
    /// Its text as written, without `${{` and `}}`.
    package let text: String

    var span: Span? { root.span }

    init(root: ExpressionNode, text: String) {
        self.root = root
        self.text = text
    }

    /// Reads an expression that stands in no file.
    package init(parsing text: String) throws(Diagnostic) {
        let bytes = Array(text.utf8)
        do {
            root = try ExpressionParser.parse(bytes, in: 0..<bytes.count) { _ in nil }
        } catch {
            throw Diagnostic(.error, error.message, hint: error.hint)
        }
        self.text = text
    }

    /// Reads a condition: an expression, with or without `${{ }}` around it.
    init(condition node: YAMLNode) throws(Diagnostic) {
        let text = node.scalar?.text ?? ""
        if Template.isTemplate(text) {
            var faults: [Diagnostic] = []
            let template = Template(node, faults: &faults)
            if let fault = faults.first { throw fault }
            guard case .expression(let expression)? = template.parts.first, template.parts.count == 1 else {
                throw Diagnostic(
                    .error, "expected one expression, found a text with expressions in it", at: node.span,
                    hint: "put the whole condition into one ${{ }}")
            }
            self = expression
            return
        }
        let bytes = Array(text.utf8)
        let places = ScalarSourceMap(node)
        do {
            root = try ExpressionParser.parse(bytes, in: 0..<bytes.count) { places?.span(of: $0) }
        } catch {
            throw Diagnostic(.error, error.message, at: places?.span(of: error.range), hint: error.hint)
        }
        self.text = text
    }

    /// Works it out; a wrong type is a diagnostic at its place.
    package func evaluate(in context: EvaluationContext) throws(Diagnostic) -> Value {
        try root.evaluate(in: context)
    }

    /// Works out a condition.
    package func holds(in context: EvaluationContext) throws(Diagnostic) -> Bool {
        let value = try root.evaluate(in: context)
        guard case .bool(let holds) = value else {
            throw Diagnostic(.error, "expected a condition, found \(value.kind)", at: span)
        }
        return holds
    }

    /// Whether it says itself what happens after a failure: `success()`, `failure()` or `always()` stands in it.
    ///
    /// A condition that does not is taken as `success() && (…)`.
    package var asksForStatus: Bool {
        var found = false
        root.forEach { node in
            if case .call(let function, _) = node.tree, function.asksForStatus { found = true }
        }
        return found
    }

    /// The names that it looks up in a context, as in `env.NAME`.
    func names(in context: ContextName) -> Set<String> {
        var names: Set<String> = []
        root.forEach { node in
            if case .element(let base, let key) = node.tree, case .context(context) = base.tree,
                case .literal(.string(let name)) = key.tree
            {
                names.insert(name)
            }
        }
        return names
    }

    /// The contexts that are needed to work it out.
    package var contexts: Set<ContextName> {
        var names: Set<ContextName> = []
        root.forEach { node in
            if case .context(let name) = node.tree { names.insert(name) }
        }
        return names
    }
}
