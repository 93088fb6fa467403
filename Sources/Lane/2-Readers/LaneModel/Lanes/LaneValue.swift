import Expressions
package import Text

/// A named value from a lane's `let`, computed before the first step.
package struct LaneValue: Sendable {
    /// The source of a value.
    package enum Source: Sendable {
        /// A value, or the expressions that compute the value.
        case node(SettingsTemplate.Node)
        /// The output of a command.
        case output(ValueCommand)
    }

    /// The name, as in `${{ let.NAME }}`.
    let name: String
    /// The source of the value.
    package let source: Source
    /// The location of the name.
    let span: Span?

    /// The type of the value in expressions.
    var type: ExpressionType {
        switch source {
        case .output: .string
        case .node(.list): .list
        case .node(let node): node.constant.map { ExpressionType($0) } ?? .any
        }
    }

    /// Calls `body` with each expression.
    func forEachExpression(_ body: (Expression) -> Void) {
        switch source {
        case .node(let node): node.forEachExpression(body)
        case .output(let command): command.settings.forEachExpression(body)
        }
    }
}

/// A command whose output, without line breaks at the end, is a value.
package struct ValueCommand: Sendable {
    /// The name of the setting with the command: a script, or a list of a program and its arguments.
    package static let setting = "run"

    /// The settings with the command.
    package let settings: SettingsTemplate
    /// The secrets that are passed to the command as environment variables.
    package let secrets: Set<String>
    /// A Boolean value that indicates whether the output is masked, because it is declared as secret or the command
    /// gets secrets.
    let isSecret: Bool
    /// The location of the command.
    package let span: Span?

    /// The command as written, for help.
    package var text: String {
        guard let node = settings.members.first(where: { $0.name == Self.setting })?.node else { return "" }
        switch node.constant {
        case .list(let words)?: return ShellWords.line(words.compactMap(\.text))
        case let value: return value?.text ?? ""
        }
    }

    /// Returns the schema of a mapping with a command. `owner` is the key of the mapping.
    static func schema(of owner: String) -> ActionSchema {
        ActionSchema(
            owner, "",
            settings: [
                SettingSchema(
                    setting, .either([.script, .list(.string)]),
                    "The shell script, or the program and its arguments, whose output is the value", isRequired: true),
                SettingSchema("secrets", .list(.string), "The lane's secrets that are passed to the command"),
                SettingSchema("secret", .bool, "Mask the value in all output"),
            ])
    }
}

extension Lane {
    /// The names of the values of `let` that the lane reads, directly or through other values.
    var usedValues: Set<String> {
        guard !values.isEmpty else { return [] }
        var used: Set<String> = []
        var readsAll = false
        func record(_ expression: Expression) {
            if expression.readsComputedNames(in: .let) { readsAll = true }
            used.formUnion(expression.names(in: .let).map(\.name))
        }
        forEachExpression(record)
        // A value can read only the values before it.
        for value in values.reversed() where used.contains(value.name) { value.forEachExpression(record) }
        return readsAll ? Set(values.map(\.name)) : used
    }

    /// The environment variables of the lane's parameters and expressions.
    var environmentNames: Set<String> {
        var names = Set(parameters.compactMap(\.variable))
        func record(_ expression: Expression) { names.formUnion(expression.names(in: .env).map(\.name)) }
        for value in values { value.forEachExpression(record) }
        forEachExpression(record)
        return names
    }

    /// Calls `body` with each expression outside `let`.
    func forEachExpression(_ body: (Expression) -> Void) {
        for (_, template) in environment { template.forEachExpression(body) }
        directory?.forEachExpression(body)
        if let condition { body(condition) }
        for call in needs { call.forEachExpression(body) }
        for step in steps + then + onFailure + always { step.forEachExpression(body) }
    }
}

extension LaneCall {
    func forEachExpression(_ body: (Expression) -> Void) {
        for argument in arguments { argument.node.forEachExpression(body) }
    }
}

extension Step {
    func forEachExpression(_ body: (Expression) -> Void) {
        switch content {
        case .action(_, let settings): settings.forEachExpression(body)
        case .lane(let call): call.forEachExpression(body)
        case .parallel(let steps): for step in steps { step.forEachExpression(body) }
        }
        items?.node.forEachExpression(body)
        name?.forEachExpression(body)
        if let condition { body(condition) }
        for (_, template) in environment { template.forEachExpression(body) }
        directory?.forEachExpression(body)
        for template in files.inputs + files.outputs { template.forEachExpression(body) }
    }
}
