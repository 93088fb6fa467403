extension Template {
    /// Returns the template with a value in place of `item`.
    package func replacingItem(with item: String) -> Template {
        guard expressions.contexts.contains(.item) else { return self }
        return Template(
            parts: parts.map { part in
                if case .expression(let expression) = part {
                    .expression(expression.replacingItem(with: item))
                } else {
                    part
                }
            }, span: span)
    }
}

extension Expression {
    /// Returns the expression with a value in place of `item`. Its text remains as written.
    package func replacingItem(with item: String) -> Expression {
        guard contexts.contains(.item) else { return self }
        return Expression(root: root.replacingItem(with: .literal(.string(item))), text: text, item: item)
    }
}

extension ExpressionNode {
    /// Returns the node with a literal in place of `item`. The parser limits the depth.
    fileprivate func replacingItem(with literal: Tree) -> ExpressionNode {
        func replaced(_ node: ExpressionNode) -> ExpressionNode { node.replacingItem(with: literal) }
        let tree: Tree =
            switch tree {
            case .context(.item): literal
            case .literal, .context: self.tree
            case .element(let base, let key): .element(of: replaced(base), replaced(key))
            case .call(let function, let arguments): .call(function, arguments.map(replaced))
            case .not(let operand): .not(replaced(operand))
            case .all(let operands): .all(operands.map(replaced))
            case .any(let operands): .any(operands.map(replaced))
            case .comparison(let left, let comparison, let right):
                .comparison(replaced(left), comparison, replaced(right))
            }
        return ExpressionNode(tree: tree, span: span)
    }
}
