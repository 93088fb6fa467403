extension Step {
    /// Returns the step with an additional condition.
    func under(_ outer: Expression?) -> Step {
        guard let outer else { return self }
        var step = self
        step.condition = condition.map { outer.and($0) } ?? outer
        return step
    }
}

extension Expression {
    func and(_ other: Expression) -> Expression {
        Expression(
            root: ExpressionNode(tree: .all([root, other.root]), span: other.span), text: "(\(text)) && (\(other.text))"
        )
    }
}
