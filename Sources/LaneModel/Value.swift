/// What a setting, a parameter or an expression comes to.
package indirect enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case list([Value])
    /// Members in the order in which they were written.
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
