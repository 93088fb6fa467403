package import Text

/// A YAML value with its source range.
///
/// Scalars are not converted, and `1.10` remains the string `1.10`. `YAMLScalar.meaning` is the value in YAML's core
/// schema.
package struct YAMLNode: Sendable, Equatable {
    /// The kind of a node, with its contents.
    package enum Content: Sendable, Equatable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// The members in the order of the text; the parser rejects duplicate names.
        case mapping([YAMLMember])
        /// A scalar with a comment that the writer adds at the end of its line; the parser drops comments.
        indirect case annotated(YAMLScalar, comment: String)
    }

    /// The content, with aliases resolved.
    package let content: Content
    /// The source range of the node, including quotes and brackets; `nil` if the node was not parsed from a file.
    package let span: Span?

    init(_ content: Content, span: Span? = nil) {
        self.content = content
        self.span = span
    }

    /// The scalar; `nil` if the node isn't a scalar.
    package var scalar: YAMLScalar? {
        switch content {
        case .scalar(let scalar), .annotated(let scalar, _): scalar
        case .sequence, .mapping: nil
        }
    }

    /// The elements; `nil` if the node isn't a list.
    package var sequence: [YAMLNode]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    /// The elements of a list; otherwise, the node alone.
    package var elements: [YAMLNode] { sequence ?? [self] }

    /// The members; `nil` if the node isn't a mapping.
    package var members: [YAMLMember]? {
        if case .mapping(let members) = content { members } else { nil }
    }

    /// The value of the member with the given name; `nil` if there is none or the node isn't a mapping.
    package subscript(name: String) -> YAMLNode? {
        members?.first { $0.name == name }?.value
    }

    /// A Boolean value that indicates whether the node is null: empty, `~` or `null`, without quotes.
    package var isNull: Bool { scalar?.meaning == .null }

    /// The kind of the value with an article, for messages: `a list`, `the number 1.10`.
    package var kind: String {
        switch content {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar(let scalar), .annotated(let scalar, _): scalar.kind
        }
    }
}

/// A member of a mapping, `name: value`.
package struct YAMLMember: Sendable, Equatable {
    /// The key, which is always a scalar.
    package let name: String
    /// The source range of the key; `nil` if the member was not parsed from a file.
    package internal(set) var nameSpan: Span?
    package let value: YAMLNode
}

extension [YAMLMember] {
    /// Returns the member with a name.
    package subscript(name: String) -> YAMLMember? { first { $0.name == name } }
}

/// Nodes for `YAMLWriter`.
extension YAMLNode {
    /// Returns a string. The writer quotes it if a YAML parser could read it as another type.
    package static func text(_ text: String, comment: String? = nil) -> YAMLNode {
        let scalar = YAMLScalar(text, style: .doubleQuoted)
        return YAMLNode(comment.map { .annotated(scalar, comment: $0) } ?? .scalar(scalar))
    }

    /// Returns a scalar that the writer does not quote, such as a number with a fraction.
    package static func plain(_ text: String) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text, style: .plain)))
    }

    /// An empty value.
    package static var null: YAMLNode { plain("") }

    /// Returns `true` or `false`.
    package static func bool(_ value: Bool) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(value ? "true" : "false", style: .plain)))
    }

    /// Returns an integer in decimal.
    package static func integer(_ value: Int) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(String(value), style: .plain)))
    }

    /// Returns a list. The writer writes `[]` for an empty list.
    package static func list(_ elements: [YAMLNode]) -> YAMLNode {
        YAMLNode(.sequence(elements))
    }

    /// Returns a mapping with its members in the given order. The writer writes `{}` for an empty mapping.
    package static func map(_ members: [(name: String, value: YAMLNode)]) -> YAMLNode {
        YAMLNode(.mapping(members.map { YAMLMember(name: $0.name, value: $0.value) }))
    }
}

extension YAMLNode: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension YAMLNode: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral elements: YAMLNode...) { self = .list(elements) }

    /// Creates a mapping of the members that have a value.
    package init(dictionaryLiteral members: (String, YAMLNode?)...) {
        self = .map(members.compactMap { name, value in value.map { (name: name, value: $0) } })
    }
}
