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

    /// The expressions of the value, or of the command.
    var expressions: [Expression] {
        switch source {
        case .node(let node): node.expressions
        case .output(let command): command.settings.expressions
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
    package var text: String { settings.members[Self.setting]?.constant?.shownText ?? "" }

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
        func record(_ expressions: [Expression]) {
            if expressions.contains(where: { $0.readsComputedNames(in: .let) }) { readsAll = true }
            used.formUnion(expressions.names(in: .let))
        }
        record(expressions)
        // A value can read only the values before it.
        for value in values.reversed() where used.contains(value.name) { record(value.expressions) }
        return readsAll ? Set(values.map(\.name)) : used
    }

    /// The environment variables of the lane's parameters and expressions.
    var environmentNames: Set<String> {
        (values.flatMap(\.expressions) + expressions).names(in: .env).union(parameters.compactMap(\.variable))
    }

    /// The expressions outside `let`.
    var expressions: [Expression] {
        var found = environment.flatMap(\.value.expressions)
        if let directory { found += directory.expressions }
        if let condition { found.append(condition) }
        for call in needs { found += call.expressions }
        for step in stages.joined() { found += step.expressions }
        return found
    }
}

extension LaneCall {
    fileprivate var expressions: [Expression] { arguments.flatMap(\.node.expressions) }
}

extension Step {
    fileprivate var expressions: [Expression] {
        var found: [Expression] =
            switch content {
            case .action(_, let settings): settings.expressions
            case .lane(let call): call.expressions
            case .parallel(let steps): steps.flatMap(\.expressions)
            }
        if let items { found += items.node.expressions }
        if let name { found += name.expressions }
        if let condition { found.append(condition) }
        for (_, template) in environment { found += template.expressions }
        for template in files.inputs { found += template.expressions }
        for template in files.outputs { found += template.expressions }
        if let directory { found += directory.expressions }
        return found
    }
}
