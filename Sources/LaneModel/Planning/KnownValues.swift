/// What may stand in the names of a group's steps in place of expressions: what the plan is made from.
struct KnownValues {
    private let context: EvaluationContext
    /// The same without values that are nobody's to see; `nil` where there are none.
    private let shown: EvaluationContext?

    /// - Parameter hidden: Names of parameters whose values may have come from the environment, where secrets are.
    init(_ group: PlanGroup, hidden: Set<String>) {
        var context = EvaluationContext().inside(group)
        self.context = context
        guard !hidden.isEmpty else {
            shown = nil
            return
        }
        for name in hidden { context.parameters[name] = nil }
        shown = context
    }

    /// The text with every expression worked out that is known; the others stand as they were written.
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

    /// Whether every expression in it is worked out.
    func know(_ template: Template) -> Bool {
        template.parts.allSatisfy { part in
            if case .expression(let expression) = part { value(of: expression) != nil } else { true }
        }
    }

    private func value(of expression: Expression) -> String? {
        guard !expression.asksForStatus, expression.contexts.isSubset(of: Self.known),
            let text = try? expression.text(in: context)
        else { return nil }
        guard let shown else { return text }
        // What is the same without the hidden values says nothing of them.
        return (try? expression.text(in: shown)) == text ? text : nil
    }

    /// What speaks of nothing else is worked out.
    static let known: Set<ContextName> = [.parameters, .matrix, .platform]
}

extension LaneArgument {
    /// Whether its value says something of the environment, or of parameters that do.
    func isHidden(beside hidden: Set<String>) -> Bool {
        var found = false
        node.forEachExpression { expression in
            let contexts = expression.contexts
            if contexts.contains(.env) || (!hidden.isEmpty && contexts.contains(.parameters)) { found = true }
        }
        return found
    }
}
