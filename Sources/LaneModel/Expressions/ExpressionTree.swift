import Diagnostics

/// The names that an expression may begin with.
package enum ContextName: String, Sendable, CaseIterable {
    /// Values of the lane's parameters.
    case parameters
    /// Environment variables; one that is not set has no value.
    case env
    /// Outputs of earlier steps by the steps' ids.
    case steps
    /// The combination of a lane with a matrix.
    case matrix
    /// The repository: `branch`, `commit`, `tag`, `clean`.
    case git
    /// Where `lane` runs: `active`, `name`.
    case ci
    /// The machine: `os`, `arch`.
    case platform

    /// Members with their types, for contexts that always have the same ones.
    static let members: [ContextName: [String: ExpressionType]] = [
        .git: ["branch": .string, "commit": .string, "tag": .string, "clean": .bool],
        .ci: ["active": .bool, "name": .string],
        .platform: ["os": .string, "arch": .string],
    ]
}

/// A part of an expression and its place.
struct ExpressionNode: Sendable, Equatable {
    indirect enum Tree: Sendable, Equatable {
        case literal(Value)
        case context(ContextName)
        /// `base.name`, `base['name']`, `base[0]`
        case element(of: ExpressionNode, ExpressionNode)
        case call(ExpressionFunction, [ExpressionNode])
        case not(ExpressionNode)
        /// `&&` between all of them.
        case all([ExpressionNode])
        /// `||` between all of them.
        case any([ExpressionNode])
        case comparison(ExpressionNode, Comparison, ExpressionNode)
    }

    let tree: Tree
    let span: Span?

    /// All nodes, this one first; the depth is bounded by the parser.
    func forEach(_ body: (ExpressionNode) -> Void) {
        body(self)
        switch tree {
        case .literal, .context: break
        case .element(let base, let key):
            base.forEach(body)
            key.forEach(body)
        case .call(_, let nodes), .all(let nodes), .any(let nodes):
            for node in nodes { node.forEach(body) }
        case .not(let node): node.forEach(body)
        case .comparison(let left, _, let right):
            left.forEach(body)
            right.forEach(body)
        }
    }
}

enum Comparison: String, Sendable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// The functions of the expression language.
package enum ExpressionFunction: String, Sendable, CaseIterable {
    case contains, startsWith, endsWith, format, join, `default`, success, failure, always

    /// How many arguments it takes.
    var arity: ClosedRange<Int> {
        switch self {
        case .contains, .startsWith, .endsWith, .join: 2...2
        case .format: 1...32
        case .default: 2...32
        case .success, .failure, .always: 0...0
        }
    }

    /// The way it is called and what comes of it, for help and messages.
    var usage: (call: String, help: String) {
        switch self {
        case .contains: ("contains(text, part)", "whether a text holds a part, or a list an element")
        case .startsWith: ("startsWith(text, part)", "whether a text begins with a part")
        case .endsWith: ("endsWith(text, part)", "whether a text ends with a part")
        case .format: ("format('{0} of {1}', a, b)", "a text with its places filled in")
        case .join: ("join(list, ', ')", "the elements of a list as one text")
        case .default: ("default(value, other)", "the first of its arguments that has a value")
        case .success: ("success()", "whether no step has failed so far")
        case .failure: ("failure()", "whether a step has failed")
        case .always: ("always()", "true, also when a step has failed")
        }
    }

    /// Whether its result depends on how earlier steps ended.
    var asksForStatus: Bool { self == .success || self == .failure || self == .always }
}

/// What an expression comes to, as far as that is known before it is worked out.
enum ExpressionType: Sendable, Equatable {
    case any, bool, integer, string, list, map

    var kind: String {
        switch self {
        case .any: "a value"
        case .bool: "a boolean"
        case .integer: "a number"
        case .string: "a text"
        case .list: "a list"
        case .map: "a mapping"
        }
    }

    init(_ value: Value) {
        self =
            switch value {
            case .null: .any
            case .bool: .bool
            case .integer: .integer
            case .string: .string
            case .list: .list
            case .map: .map
            }
    }
}
