import Text

/// A context: the first name in the path of a value, such as `env` in `env.NAME`.
package enum ContextName: String, Sendable, CaseIterable {
    /// The values of the lane's parameters.
    case parameters
    /// The values of `let` in the lane.
    case `let`
    /// The arguments after `--` on the command line.
    case arguments
    /// The environment variables. An unset variable is null.
    case env
    /// The outputs and outcomes of earlier steps, by step ID.
    case steps
    /// The matrix combination of the lane's group.
    case matrix
    /// The value of `foreach` that a step runs for.
    case item
    /// The repository: `branch`, `commit`, `tag`, `clean`.
    case git
    /// The CI service: `active`, `name`.
    case ci
    /// The platform: `os`, `arch`.
    case platform

    /// The members of a context with fixed members, each with its type and description.
    package var members: [(name: String, type: ExpressionType, help: String)] {
        switch self {
        case .parameters, .let, .arguments, .env, .steps, .matrix, .item: []
        case .git:
            [
                ("branch", .string, "The branch that is checked out, if any"),
                ("commit", .string, "The hash of the last commit"),
                ("tag", .string, "The tag of the last commit, if any"),
                ("clean", .bool, "True if there are no changes and no untracked files"),
            ]
        case .ci:
            [
                ("active", .bool, "True on a CI service"),
                ("name", .string, "The CI service, such as 'github'"),
            ]
        case .platform:
            [
                ("os", .string, "The operating system, 'linux' or 'macos'"),
                ("arch", .string, "The architecture, such as 'x86_64' or 'arm64'"),
            ]
        }
    }

    /// The description of the context without a full stop.
    package var help: String {
        switch self {
        case .parameters: "The values of the lane's parameters, such as 'parameters.target'"
        case .let: "The values of the lane's 'let', such as 'let.commit'"
        case .arguments: "The arguments after '--' on the command line, a list"
        case .env: "The environment variables; an unset variable is null"
        case .steps:
            "The outputs of earlier steps, as 'steps.ID.NAME'; 'steps.ID.outcome' is 'succeeded', 'failed' or 'skipped'"
        case .matrix: "The values of the lane's matrix, such as 'matrix.swift'"
        case .item: "The value of 'foreach' that the step runs for"
        case .git: "The repository"
        case .ci: "The CI service"
        case .platform: "The platform"
        }
    }
}

/// A node of the syntax tree of an expression, with its location.
struct ExpressionNode: Sendable, Equatable {
    indirect enum Tree: Sendable, Equatable {
        case literal(Value)
        case context(ContextName)
        /// `base.name`, `base['name']`, `base[0]`
        case element(of: ExpressionNode, ExpressionNode)
        case call(ExpressionFunction, [ExpressionNode])
        case not(ExpressionNode)
        /// A conjunction: `&&` between all operands.
        case all([ExpressionNode])
        /// A disjunction: `||` between all operands.
        case any([ExpressionNode])
        case comparison(ExpressionNode, Comparison, ExpressionNode)
    }

    let tree: Tree
    let span: Span?

    /// The context and the name of a node such as `env.NAME`, or `nil` for any other node.
    var reference: (context: ContextName, name: String)? {
        guard case .element(let base, let key) = tree, case .context(let context) = base.tree,
            case .literal(.string(let name)) = key.tree
        else { return nil }
        return (context, name)
    }

    /// Calls `body` with each node in preorder. The parser limits the depth.
    func visit(_ body: (ExpressionNode) -> Void) {
        body(self)
        switch tree {
        case .literal, .context: break
        case .element(let base, let key):
            base.visit(body)
            key.visit(body)
        case .call(_, let nodes), .all(let nodes), .any(let nodes):
            for node in nodes { node.visit(body) }
        case .not(let node): node.visit(body)
        case .comparison(let left, _, let right):
            left.visit(body)
            right.visit(body)
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

    /// The allowed number of arguments.
    var arity: ClosedRange<Int> {
        switch self {
        case .contains, .startsWith, .endsWith, .join: 2...2
        case .format: 1...32
        case .default: 2...32
        case .success, .failure, .always: 0...0
        }
    }

    /// The signature of the function and the description of its result, for help and messages.
    package var usage: (call: String, help: String) {
        switch self {
        case .contains: ("contains(text, part)", "true if a string contains a part, or a list an element")
        case .startsWith: ("startsWith(text, part)", "true if a string starts with a part")
        case .endsWith: ("endsWith(text, part)", "true if a string ends with a part")
        case .format: ("format('{0} of {1}', a, b)", "a string with its placeholders replaced")
        case .join: ("join(list, ', ')", "the elements of a list as one string")
        case .default: ("default(value, other)", "the first argument that is not empty, or the last one")
        case .success: ("success()", "true if no step has failed so far")
        case .failure: ("failure()", "true if a step has failed")
        case .always: ("always()", "true, even if a step has failed")
        }
    }

    /// A Boolean value that indicates whether the result depends on the results of earlier steps.
    var dependsOnStatus: Bool { self == .success || self == .failure || self == .always }
}

/// The type of an expression, as far as it is known before the evaluation.
package enum ExpressionType: Sendable, Equatable {
    case any, bool, integer, string, list, map

    /// The description of the type for messages.
    package var kind: String {
        switch self {
        case .any: "a value"
        case .bool: "a boolean"
        case .integer: "a number"
        case .string: "a string"
        case .list: "a list"
        case .map: "a mapping"
        }
    }

    /// The type of a value. Null has any type.
    package init(_ value: Value) {
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
