import YAML

extension YAMLNode {
    /// The node in flow style on one line, with quoted scalars in double quotes and plain ones without.
    var canonical: String {
        switch content {
        case .scalar(let scalar), .annotated(let scalar, _): scalar.style == .plain ? scalar.text : scalar.text.quoted
        case .sequence(let elements): "[" + elements.map(\.canonical).joined(separator: ", ") + "]"
        case .mapping(let members):
            "{" + members.map { "\($0.name): \($0.value.canonical)" }.joined(separator: ", ") + "}"
        }
    }

    /// Returns a Boolean value that indicates whether two nodes have the same content, regardless of style and source
    /// range.
    func hasSameContent(as other: YAMLNode) -> Bool {
        switch (content, other.content) {
        case (.scalar(let one), .scalar(let two)): one.text == two.text && one.meaning == two.meaning
        case (.sequence(let one), .sequence(let two)): one.elementsEqual(two) { $0.hasSameContent(as: $1) }
        case (.mapping(let one), .mapping(let two)):
            one.elementsEqual(two) { $0.name == $1.name && $0.value.hasSameContent(as: $1.value) }
        default: false
        }
    }

    func visit(_ body: (YAMLNode) -> Void) {
        body(self)
        for node in sequence ?? [] { node.visit(body) }
        for member in members ?? [] { member.value.visit(body) }
    }
}

extension String {
    fileprivate var quoted: String {
        "\""
            + replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
            .replacing("\t", with: "\\t") + "\""
    }
}
