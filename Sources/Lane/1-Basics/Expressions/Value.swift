/// The value of a setting, a parameter or an expression.
package enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case list([Value])
    /// The members in the order of the source.
    case map([(name: String, value: Value)])

    package static func == (one: Value, other: Value) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.map(let left), .map(let right)): left.elementsEqual(right) { $0.name == $1.name && $0.value == $1.value }
        default: false
        }
    }
}

extension Value {
    /// The description of the value for messages.
    package var kind: String {
        switch self {
        case .null: "nothing"
        case .bool(let value): "the boolean \(value)"
        case .integer(let value): "the number \(value)"
        case .string(let text): text.utf8.count > 60 ? "a string" : "the string '\(text)'"
        case .list: "a list"
        case .map: "a mapping"
        }
    }

    /// The text of a single value, or `nil` for null, lists and mappings.
    package var text: String? {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .string(let text): text
        case .null, .list, .map: nil
        }
    }

    /// The texts of a single value, or of the values in a list or mapping, at any depth. The parser of lane files limits
    /// the depth.
    package var texts: [String] {
        switch self {
        case .list(let values): values.flatMap(\.texts)
        case .map(let members): members.flatMap(\.value.texts)
        case .null, .bool, .integer, .string: [text].compactMap(\.self)
        }
    }

    /// Returns values by their names. The last of several values with one name counts.
    package static func byName(_ members: [(name: String, value: Value)]) -> [String: Value] {
        Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }

    /// Returns the member of a mapping.
    package subscript(name: String) -> Value? {
        guard case .map(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
