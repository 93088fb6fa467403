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

    /// As written: aliases are resolved, nothing else is.
    package let content: Content
    /// From the first to the last character that belongs to it, quotes and brackets included; `nil` for a node that a
    /// program made.
    package let span: Span?

    init(_ content: Content, span: Span? = nil) {
        self.content = content
        self.span = span
    }

    /// `nil` unless it is one.
    package var scalar: YAMLScalar? {
        switch content {
        case .scalar(let scalar), .annotated(let scalar, _): scalar
        case .sequence, .mapping: nil
        }
    }

    /// `nil` unless it is a list.
    package var sequence: [YAMLNode]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    /// `nil` unless it is a mapping.
    package var members: [YAMLMember]? {
        if case .mapping(let members) = content { members } else { nil }
    }

    /// The member of that name; `nil` also where this is no mapping.
    package subscript(name: String) -> YAMLNode? {
        members?.first { $0.name == name }?.value
    }

    /// Nothing at all, `~` or `null`, without quotes.
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
    /// The text of the key, as anything else is refused as a key.
    package let name: String
    /// Where the key stands; `nil` for a member that a program made.
    package let nameSpan: Span?
    /// What stands behind the colon.
    package let value: YAMLNode

    init(name: String, nameSpan: Span? = nil, value: YAMLNode) {
        self.name = name
        self.nameSpan = nameSpan
        self.value = value
    }
}

/// Nodes that a program makes in order to have them written.
extension YAMLNode {
    /// Quoted, whatever it looks like, so that it is read back as a text.
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

    /// `true` or `false`.
    package static func bool(_ value: Bool) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(value ? "true" : "false", style: .plain)))
    }

    /// In decimal.
    package static func integer(_ value: Int) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(String(value), style: .plain)))
    }

    /// In the given order; an empty one becomes `[]`.
    package static func list(_ elements: [YAMLNode]) -> YAMLNode {
        YAMLNode(.sequence(elements))
    }

    /// In the given order; an empty one becomes `{}`.
    package static func map(_ members: [(name: String, value: YAMLNode)]) -> YAMLNode {
        YAMLNode(.mapping(members.map { YAMLMember(name: $0.name, value: $0.value) }))
    }
}
