package import Diagnostics

/// A YAML value that remembers where in its file it stood.
///
/// Nothing is converted: `1.10` stays the text `1.10`. Whoever knows which type is wanted asks `YAMLScalar.meaning`.
package struct YAMLNode: Sendable, Equatable {
    /// What kind of node it is, with what it holds.
    package enum Content: Sendable, Equatable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// Members in the order of the text; a name given twice is refused by the parser.
        case mapping([YAMLMember])
        /// A scalar that the writer puts a comment behind, on its line; the parser leaves comments out.
        indirect case annotated(YAMLScalar, comment: String)
    }

    package let content: Content
    /// From the first to the last character that belongs to it, quotes and brackets included; `nil` for a node that a
    /// program made.
    package let span: Span?

    package init(_ content: Content, span: Span? = nil) {
        self.content = content
        self.span = span
    }

    package var scalar: YAMLScalar? {
        switch content {
        case .scalar(let scalar), .annotated(let scalar, _): scalar
        case .sequence, .mapping: nil
        }
    }

    package var sequence: [YAMLNode]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    package var members: [YAMLMember]? {
        if case .mapping(let members) = content { members } else { nil }
    }

    package subscript(name: String) -> YAMLNode? {
        members?.first { $0.name == name }?.value
    }

    package var isNull: Bool { scalar?.meaning == .null }

    /// What it is, as a message names it: `a list`, `the number 1.10`.
    package var kind: String {
        switch content {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar(let scalar), .annotated(let scalar, _): scalar.kind
        }
    }
}

/// One `name: value` of a mapping.
package struct YAMLMember: Sendable, Equatable {
    package let name: String
    package let nameSpan: Span?
    package let value: YAMLNode

    package init(name: String, nameSpan: Span? = nil, value: YAMLNode) {
        self.name = name
        self.nameSpan = nameSpan
        self.value = value
    }
}

/// Nodes that a program makes in order to have them written.
extension YAMLNode {
    package static func text(_ text: String, comment: String? = nil) -> YAMLNode {
        let scalar = YAMLScalar(text, style: .doubleQuoted)
        return YAMLNode(comment.map { .annotated(scalar, comment: $0) } ?? .scalar(scalar))
    }

    /// As it stands, without quotes: a number with a fraction.
    package static func plain(_ text: String) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text, style: .plain)))
    }

    /// Nothing at all behind the name.
    package static var null: YAMLNode { plain("") }

    package static func bool(_ value: Bool) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(value ? "true" : "false", style: .plain)))
    }

    package static func integer(_ value: Int) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(String(value), style: .plain)))
    }

    package static func list(_ elements: [YAMLNode]) -> YAMLNode {
        YAMLNode(.sequence(elements))
    }

    package static func map(_ members: [(name: String, value: YAMLNode)]) -> YAMLNode {
        YAMLNode(.mapping(members.map { YAMLMember(name: $0.name, value: $0.value) }))
    }
}
