package import Text

/// A parsed expression of `${{ }}` or `if`.
package struct Expression: Sendable, Equatable {
    let root: ExpressionNode
    /// The source text without `${{` and `}}`.
    package let text: String
    /// The value of `foreach` that replaced `item`, which is not in the text.
    package private(set) var item: String?

    /// The source text with `${{` and `}}`.
    package var source: String { "${{ \(text) }}" }

    /// The hint on a list in place of a string.
    package var joinHint: String { "write \(inQuotes("${{ join(\(text), ' ') }}"))" }

    /// The location of the expression.
    package var span: Span? { root.span }

    init(root: ExpressionNode, text: String, item: String? = nil) {
        self.root = root
        self.text = text
        self.item = item
    }

    /// Parses a condition: an expression, with or without `${{ }}` around it.
    ///
    /// - Parameters:
    ///   - span: The location of the text.
    ///   - locate: Returns the location of a range of the text's bytes.
    package init(
        condition text: String, at span: Span? = nil, locate: @escaping (Range<Int>) -> Span? = { _ in nil }
    ) throws(Diagnostic) {
        if Template.isTemplate(text) {
            var errors: [Diagnostic] = []
            let template = Template(text, at: span, locate: locate, errors: &errors)
            if let error = errors.first { throw error }
            guard case .expression(let expression)? = template.parts.first, template.parts.count == 1 else {
                throw Diagnostic(
                    .error, "expected one expression, found a string with expressions", at: span,
                    hint: "put the whole condition in one ${{ }}")
            }
            self = expression
            return
        }
        let bytes = Array(text.utf8)
        do {
            root = try ExpressionParser.parse(bytes, in: 0..<bytes.count, span: locate)
        } catch {
            throw Diagnostic(.error, error.message, at: locate(error.range), hint: error.hint)
        }
        self.text = text
    }

    /// Evaluates the expression. A wrong type is an error at the location of the operand.
    package func evaluate(in context: EvaluationContext) throws(Diagnostic) -> Value {
        try root.evaluate(in: context)
    }

    /// Evaluates a condition.
    package func isTrue(in context: EvaluationContext) throws(Diagnostic) -> Bool {
        let value = try root.evaluate(in: context)
        guard case .bool(let isTrue) = value else {
            throw Diagnostic(.error, "expected a condition, found \(value.kind)", at: span)
        }
        return isTrue
    }

    /// A Boolean value that indicates whether the expression calls `success()`, `failure()` or `always()`.
    ///
    /// A condition without these functions means `success() && (…)`.
    package var dependsOnStatus: Bool {
        var found = false
        root.visit { node in
            if case .call(let function, _) = node.tree, function.dependsOnStatus { found = true }
        }
        return found
    }

    /// Returns the names that the expression reads from a context, such as `NAME` in `env.NAME`, in the order of the
    /// source.
    package func names(in context: ContextName) -> [(name: String, span: Span?)] {
        var names: [(name: String, span: Span?)] = []
        root.visit { node in
            if case (context, let name)? = node.reference { names.append((name, node.span)) }
        }
        return names
    }

    /// Returns a Boolean value that indicates whether the expression may read one of several names from a context.
    package func mayRead(_ names: Set<String>, in context: ContextName) -> Bool {
        !names.isEmpty
            && (readsComputedNames(in: context) || self.names(in: context).contains { names.contains($0.name) })
    }

    /// Returns a Boolean value that indicates whether the expression reads members of a context that only evaluation can
    /// name, such as `env[…]`.
    package func readsComputedNames(in context: ContextName) -> Bool {
        var count = 0
        root.visit { if case .context(context) = $0.tree { count += 1 } }
        return count > names(in: context).count
    }

    /// The contexts that the expression reads.
    package var contexts: Set<ContextName> {
        var names: Set<ContextName> = []
        root.visit { node in
            if case .context(let name) = node.tree { names.insert(name) }
        }
        return names
    }
}

extension [Expression] {
    /// The contexts that the expressions read.
    package var contexts: Set<ContextName> { reduce(into: []) { $0.formUnion($1.contexts) } }

    /// Returns the names that the expressions read from a context.
    package func names(in context: ContextName) -> Set<String> {
        reduce(into: []) { $0.formUnion($1.names(in: context).map(\.name)) }
    }
}

extension Expression {
    /// Returns the conjunction of two conditions.
    package func and(_ other: Expression) -> Expression {
        Expression(
            root: ExpressionNode(tree: .all([root, other.root]), span: other.span),
            text: "(\(text)) && (\(other.text))", item: item ?? other.item)
    }

    /// Returns a Boolean value that indicates whether a name can follow a dot in an expression.
    package static func isName(_ name: String) -> Bool {
        name.utf8.first?.isIdentifierStart == true
            && name.utf8.allSatisfy { $0.isIdentifierContinuation || $0 == UInt8(ascii: "-") }
    }
}
