package import Expressions
import Text

extension EvaluationContext {
    /// Returns the context with the environment variables of a lane, and the names of those that have no value yet.
    ///
    /// - Parameter unknown: The contexts without values.
    package func adding(
        known variables: [(name: String, value: Template)], without unknown: Set<ContextName> = []
    ) -> (context: EvaluationContext, unknown: Set<String>) {
        var context = self
        var names: Set<String> = []
        for (name, template) in variables {
            let isUnknown = template.expressions.contains { expression in
                !expression.contexts.isDisjoint(with: unknown) || expression.mayRead(names, in: .env)
            }
            guard !isUnknown, let value = try? template.evaluate(in: context) else {
                names.insert(name)
                continue
            }
            names.remove(name)
            if let text = value.text { context.environment[name] = text }
        }
        return (context, names)
    }
}

/// The variables of a lane that conditions and arguments of calls, and the items of `foreach` see during planning.
struct LaneEnvironment {
    let context: EvaluationContext
    private let unknown: Set<String>

    init(
        _ variables: [(name: String, value: Template)], in context: EvaluationContext,
        without unknown: Set<ContextName> = [.steps]
    ) {
        (self.context, self.unknown) = context.adding(known: variables, without: unknown)
    }

    /// Returns a Boolean value that indicates whether the value of an expression may depend on variables without a value.
    func lacksVariables(of expression: Expression) -> Bool { expression.mayRead(unknown, in: .env) }

    /// Throws an error if a value depends on variables without a value.
    func require(_ node: SettingsTemplate.Node, at span: Span?) throws(Diagnostics) {
        let expressions = node.expressions
        let names = unknown.filter { name in expressions.contains { $0.mayRead([name], in: .env) } }.sorted()
        guard names.isEmpty else {
            let missing = list(names.map { "'env.\($0)'" }, joinedBy: "and")
            let verb = names.count == 1 ? "has" : "have"
            throw Diagnostics([Diagnostic(.error, "\(missing) \(verb) no value before the lane starts", at: span)])
        }
    }
}
