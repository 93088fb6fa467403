import Expressions

/// The values that are known during planning, for the names of steps.
struct KnownValues {
    private let context: EvaluationContext
    /// The context without hidden values, or `nil` if no value is hidden.
    private let shown: EvaluationContext?

    /// - Parameter hidden: The names of parameters whose values may be secrets, because they may come from the
    ///   environment.
    init(_ group: PlanGroup, hidden: Set<String>) {
        var context = EvaluationContext().inside(group)
        self.context = context
        guard !hidden.isEmpty || !group.hiddenValues.isEmpty else {
            shown = nil
            return
        }
        for name in hidden { context.parameters[name] = nil }
        for name in group.hiddenValues { context.values[name] = nil }
        shown = context
    }

    /// Returns the text with the values of known expressions. Keeps the source of other expressions.
    func text(of template: Template) -> String {
        var text = ""
        for part in template.parts {
            switch part {
            case .text(let plain): text += plain
            case .expression(let expression): text += value(of: expression) ?? "${{ \(expression.text) }}"
            }
        }
        return text
    }

    /// Returns a Boolean value that indicates whether all expressions of a template are known.
    func canEvaluate(_ template: Template) -> Bool {
        template.parts.allSatisfy { part in
            if case .expression(let expression) = part { value(of: expression) != nil } else { true }
        }
    }

    private func value(of expression: Expression) -> String? {
        guard !expression.dependsOnStatus, expression.contexts.isSubset(of: LaneKeys.plannedContexts),
            let text = Self.text(of: expression, in: context)
        else { return nil }
        guard let shown else { return text }
        // A result that is the same without the hidden values does not reveal them.
        return Self.text(of: expression, in: shown) == text ? text : nil
    }

    /// Returns the text of a value. The elements of a list are words in shell syntax.
    private static func text(of expression: Expression, in context: EvaluationContext) -> String? {
        if let text = try? expression.text(in: context) { return text }
        guard case .list(let values)? = try? expression.evaluate(in: context) else { return nil }
        return ShellWords.line(values.compactMap(\.text))
    }

    /// Returns a Boolean value that indicates whether a template is a list, whose text is quoted.
    func isList(_ template: Template) -> Bool {
        guard template.parts.count == 1, case .expression(let expression) = template.parts[0] else { return false }
        return if case .list? = try? expression.evaluate(in: context) { true } else { false }
    }
}

extension LaneArgument {
    /// Returns a Boolean value that indicates whether an expression of the value reads a context.
    func reads(_ context: ContextName) -> Bool {
        var found = false
        node.forEachExpression { if $0.contexts.contains(context) { found = true } }
        return found
    }

    /// Returns a Boolean value that indicates whether the value depends on the environment or on hidden values.
    func isHidden(beside hidden: Set<String>, _ hiddenValues: Set<String>) -> Bool {
        var found = false
        node.forEachExpression { expression in
            let contexts = expression.contexts
            if contexts.contains(.env) || (!hidden.isEmpty && contexts.contains(.parameters))
                || (!hiddenValues.isEmpty && contexts.contains(.let))
            {
                found = true
            }
        }
        return found
    }
}
