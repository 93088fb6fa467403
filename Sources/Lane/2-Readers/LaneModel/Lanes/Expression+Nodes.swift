package import Expressions
package import Text
package import YAML

extension Expression {
    /// Parses the condition in a scalar.
    package init(condition node: YAMLNode) throws(Diagnostic) {
        let sourceMap = ScalarSourceMap(node)
        try self.init(condition: node.scalar?.text ?? "", at: node.span) { sourceMap?.span(of: $0) }
    }
}

extension Template {
    /// Parses the text of a scalar. Each invalid expression is added to `errors` and omitted.
    package init(_ node: YAMLNode, errors: inout [Diagnostic]) {
        let text = node.scalar?.text ?? ""
        // A source map is needed only for expressions.
        let sourceMap = Self.isTemplate(text) ? ScalarSourceMap(node) : nil
        self.init(text, at: node.span, locate: { sourceMap?.span(of: $0) }, errors: &errors)
    }
}
