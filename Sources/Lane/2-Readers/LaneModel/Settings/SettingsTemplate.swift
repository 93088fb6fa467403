package import Expressions
package import Text

/// The checked settings of an action before the evaluation of their expressions.
package struct SettingsTemplate: Sendable {
    /// The value of a setting, or the expressions that compute the value.
    package enum Node: Sendable {
        case value(Value)
        indirect case template(Template)
        case list([Node])
        case map([Member])
    }

    /// A setting with its name.
    package struct Member: Sendable {
        /// The name of the setting.
        package let name: String
        /// The value, checked as far as possible before expressions are evaluated.
        package let node: Node
    }

    /// The members in the order of the lane file. The evaluation adds defaults.
    package let members: [Member]
    /// The schema of the action. Without a schema, results are not converted.
    package internal(set) var action: ActionSchema?
    var span: Span?

    /// Evaluates all expressions, converts the results to the types of the settings, and adds defaults.
    ///
    /// A setting whose expression evaluates to null is omitted.
    package func evaluate(in context: EvaluationContext) throws(Diagnostics) -> Settings {
        var evaluation = Evaluation()
        var values: [(name: String, value: Value)] = []
        values.reserveCapacity(members.count)
        var reported: Set<String> = []
        for member in members {
            let type = action?.setting(member.name)?.type ?? .any
            let before = evaluation.diagnostics.all.count
            defer { if evaluation.diagnostics.all.count > before { reported.insert(member.name) } }
            if let value = evaluation.value(of: member.node, type, in: context) {
                values.append((name: member.name, value: value))
            }
        }
        for setting in action?.settings ?? [] where !values.contains(where: { $0.name == setting.name }) {
            if let value = setting.defaultValue {
                values.append((name: setting.name, value: value))
            } else if setting.isRequired, !reported.contains(setting.name) {
                evaluation.diagnostics.error(
                    "'\(action?.name ?? "")' needs '\(setting.name)', which has no value", at: span)
            }
        }
        try evaluation.diagnostics.throwIfErrors()
        return Settings(members: values, span: span, variables: evaluation.variables)
    }

    /// The names of the settings with expressions whose values may become arguments of a command.
    ///
    /// A shell script gets values as variables instead.
    package var namesOfComputedArguments: [String] {
        members.filter { member in
            if case .template = member.node, action?.setting(member.name)?.type.isScript == true { return false }
            return !member.node.isLiteral
        }.map(\.name)
    }

    /// The contexts that the expressions read.
    package var contexts: Set<ContextName> { expressions.contexts }

    /// The paths of a `test` step's report and coverage files, by their settings. Paths from expressions are omitted.
    package var reportPaths: [String: String] {
        members.reduce(into: [:]) { paths, member in
            let isReport = ReportOption.all.contains { $0.name == member.name } || member.name.hasPrefix("coverage-")
            guard isReport, action?.setting(member.name)?.type == .path else { return }
            if case .value(.string(let path)) = member.node { paths[member.name] = path }
        }
    }

    /// A Boolean value that indicates whether no value contains an expression.
    var isLiteral: Bool { members.allSatisfy(\.node.isLiteral) }

    /// All expressions in the order of the lane file.
    var expressions: [Expression] { members.flatMap(\.node.expressions) }
}

extension [SettingsTemplate.Member] {
    /// Returns the value of the member with a name.
    package subscript(name: String) -> SettingsTemplate.Node? { first { $0.name == name }?.node }
}

extension SettingsTemplate.Node {
    /// A Boolean value that indicates whether the node contains no expression.
    var isLiteral: Bool {
        switch self {
        case .value: true
        case .template(let template): template.constant != nil
        case .list(let nodes): nodes.allSatisfy(\.isLiteral)
        case .map(let members): members.allSatisfy(\.node.isLiteral)
        }
    }

    /// All expressions in the order of the lane file.
    var expressions: [Expression] {
        switch self {
        case .value: []
        case .template(let template): template.expressions
        case .list(let nodes): nodes.flatMap(\.expressions)
        case .map(let members): members.flatMap(\.node.expressions)
        }
    }
}

extension SettingsTemplate.Node {
    /// Evaluates the expressions of a value outside settings. Returns `nil` for null.
    func evaluate(as type: SettingType, in context: EvaluationContext) throws(Diagnostics) -> Value? {
        var evaluation = Evaluation()
        let value = evaluation.value(of: self, type, in: context)
        try evaluation.diagnostics.throwIfErrors()
        return value
    }
}

/// One evaluation of a step's settings.
private struct Evaluation {
    var diagnostics = Diagnostics()
    var variables: [(name: String, value: String)] = []

    /// Returns the value of a node, or `nil` for null. Adds errors to `diagnostics`.
    ///
    /// - Parameter isElement: A Boolean value that indicates whether the node is an element of a list. The expression of
    ///   an element may return several elements as a list.
    mutating func value(
        of node: SettingsTemplate.Node, _ type: SettingType, in context: EvaluationContext, isElement: Bool = false
    ) -> Value? {
        switch node {
        case .value(let value): return value
        case .template(let template):
            do {
                if type.isScript { return .string(try script(template, in: context)) }
                return try result(of: template, type, in: context, isElement: isElement)
            } catch {
                diagnostics.add(error)
                return nil
            }
        case .list(let nodes):
            let element = type.element
            let isFlat = !element.accepts(.list)
            var values: [Value] = []
            values.reserveCapacity(nodes.count)
            for node in nodes {
                guard let value = value(of: node, element, in: context, isElement: isFlat) else { continue }
                if case .list(let inner) = value, isFlat {
                    values += inner
                } else {
                    values.append(value)
                }
            }
            return .list(values)
        case .map(let members):
            return .map(
                members.compactMap { member in
                    value(of: member.node, type.member(member.name), in: context).map { (name: member.name, value: $0) }
                })
        }
    }

    private func result(
        of template: Template, _ type: SettingType, in context: EvaluationContext, isElement: Bool
    ) throws(Diagnostic) -> Value? {
        let value = try template.evaluate(in: context)
        var type = type
        if isElement, case .list = value { type = .list(type) }
        do {
            return try type.coerce(value)
        } catch {
            throw Diagnostic(.error, "expected \(type.kind), found \(value.kind)", at: template.span, hint: error.hint)
        }
    }

    private mutating func script(_ template: Template, in context: EvaluationContext) throws(Diagnostic) -> String {
        var script = ShellScript(firstVariable: variables.count + 1)
        for part in template.parts {
            switch part {
            case .text(let text): script.append(text)
            case .expression(let expression):
                let values = try expression.texts(in: context)
                guard !values.contains(where: { $0.utf8.contains(0) }) else {
                    throw Diagnostic(.error, "a value for a shell cannot contain NUL", at: expression.span)
                }
                script.append(values: values)
            }
        }
        variables += script.variables
        return script.text
    }
}

extension SettingType {
    /// A Boolean value that indicates whether values of expressions are passed as shell variables.
    var isScript: Bool {
        switch self {
        case .script: true
        case .either(let types): types.contains { $0.isScript }
        default: false
        }
    }

    /// The element type of a list.
    fileprivate var element: SettingType {
        switch self {
        case .list(let element): return element
        case .either(let types):
            for case .list(let element) in types { return element }
            return .any
        default: return .any
        }
    }

    /// Returns the type of a mapping's member.
    fileprivate func member(_ name: String) -> SettingType {
        switch self {
        case .map(let value): return value
        case .object(let settings): return settings.first { $0.name == name }?.type ?? .any
        case .either(let types):
            for type in types {
                if case .map(let value) = type { return value }
                if case .object = type { return type.member(name) }
            }
            return .any
        default: return .any
        }
    }
}
