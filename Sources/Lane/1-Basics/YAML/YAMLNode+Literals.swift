// Literals of nodes for `YAMLWriter`.

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
