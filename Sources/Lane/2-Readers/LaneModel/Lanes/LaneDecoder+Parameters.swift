import Expressions
import Text
import YAML

extension LaneDecoder {
    mutating func decodeParameters(_ member: YAMLMember) {
        guard let members = member.value.members else {
            return wrong(
                member, expected: "a mapping of names and descriptions",
                hint: "for example 'version: { type: version, position: 1 }'")
        }
        for member in members {
            guard let parameter = parameter(member) else { continue }
            if let other = lane.parameter(parameter.name) {
                error(
                    "an included file already defines the parameter '\(parameter.name)'", at: member.nameSpan,
                    note: .init("defined here", at: other.span))
                continue
            }
            lane.parameters.append(parameter)
            declare(parameter)
        }
        checkPositions()
    }

    /// Makes a parameter known to the expressions of the lane.
    mutating func declare(_ parameter: Parameter) {
        settings.scope.parameters[parameter.name] = parameter.expressionType
        if parameter.kind == .enum, !parameter.isVariadic, !parameter.values.isEmpty {
            settings.scope.choices[parameter.name] = parameter.values
        }
    }

    private mutating func parameter(_ member: YAMLMember) -> Parameter? {
        guard Self.isName(member.name) else {
            error(
                "'\(member.name)' is not a valid name for a parameter", at: member.nameSpan,
                hint: "start with a letter, and use lowercase letters, digits and '-'")
            return nil
        }
        var parameter = Parameter(name: member.name, span: member.nameSpan)
        // The short form `name: version` declares only the type of a parameter.
        if let scalar = member.value.scalar {
            parameter.kind = shortKind(scalar, of: member) ?? .string
            if parameter.kind == .bool { parameter.defaultValue = .bool(false) }
            return parameter
        }
        guard let keys = member.value.members else {
            wrong(member, expected: "a type or a mapping")
            return nil
        }
        // The default is decoded after the type.
        var simple: [YAMLMember] = []
        for key in keys where key.name != "default" {
            if let expression = expression(in: key.value) {
                reject(expression, expected: "a value without expressions")
            } else {
                simple.append(key)
            }
        }
        let given = settings.decode(simple, LaneKeys.parameter, of: member.name, at: member.value.span)
        for setting in given { apply(setting, to: &parameter) }
        if let values = member.value["values"]?.sequence { checkValues(values) }
        if let variable = parameter.variable { _ = checkVariable(variable, at: member.value["env"]?.span) }
        if let type = member.value["type"], given["type"] != nil, parameter.kind == .enum {
            if parameter.values.isEmpty, member.value["values"]?.sequence?.isEmpty ?? true {
                error("an enum needs 'values'", at: type.span, hint: "for example 'values: [debug, release]'")
            }
        } else if let values = keys["values"], parameter.kind != .enum {
            error("only an enum has 'values'", at: values.nameSpan, hint: "write 'type: enum'")
        }
        if parameter.isVariadic { checkVariadic(parameter, member.value) }
        applyDefault(member.value, to: &parameter)
        // Like other secrets, the variable reaches only the steps that name it.
        if parameter.isSecret, let variable = parameter.variable, !lane.secrets.contains(variable) {
            lane.secrets.append(variable)
        }
        return parameter
    }

    /// Decodes the type in `name: version`. A value in its place, such as `name: hello`, is probably the default.
    private mutating func shortKind(_ scalar: YAMLScalar, of member: YAMLMember) -> Parameter.Kind? {
        let type = LaneKeys.kind
        guard expression(in: member.value) == nil else {
            return constant(member.value, type, keySpan: member.nameSpan)?.text.flatMap(Parameter.Kind.init)
        }
        do throws(InvalidValue) {
            if scalar.meaning == .string, let kind = try type.value(of: scalar).text.flatMap(Parameter.Kind.init) {
                return kind
            }
            throw InvalidValue()
        } catch {
            let shown: String =
                switch scalar.meaning {
                case .null: "for any text write '\(member.name): string'"
                case .bool: "for a default value write '\(member.name): { type: bool, default: \(scalar.text) }'"
                case .integer: "for a default value write '\(member.name): { type: int, default: \(scalar.text) }'"
                default:
                    "for a default value write "
                        + inQuotes("\(member.name): { default: \(YAMLWriter.quoted(scalar.text)) }")
                }
            wrong(member, expected: type.kind, hint: error.hint ?? shown)
            return nil
        }
    }

    private func apply(_ setting: SettingsTemplate.Member, to parameter: inout Parameter) {
        switch (setting.name, setting.node.constant) {
        case ("type", .string(let text)?): parameter.kind = Parameter.Kind(rawValue: text) ?? .string
        case ("position", .integer(let position)?): parameter.position = position
        case ("env", .string(let text)?): parameter.variable = text
        case ("secret", .bool(let value)?): parameter.isSecret = value
        case ("required", .bool(let value)?): parameter.isRequired = value
        case ("variadic", .bool(let value)?): parameter.isVariadic = value
        case ("help", .string(let text)?): parameter.help = TerminalText.onOneLine(text)
        case ("values", .list(let values)?): parameter.values = values.compactMap(\.text)
        default: break
        }
    }

    /// Reports keys that a list of values does not support: a secret is one string, and so are a variable and an output.
    private mutating func checkVariadic(_ parameter: Parameter, _ node: YAMLNode) {
        if parameter.kind == .bool {
            error("a flag cannot be variadic", at: node["variadic"]?.span, hint: "use another 'type'")
        }
        for key in node.members ?? []
        where ["env", "secret"].contains(key.name) || (key.name == "default" && key.value.members != nil) {
            error(
                "a variadic parameter cannot have '\(key.name)\(key.name == "default" ? ": { run: … }" : "")'",
                at: key.nameSpan,
                hint: key.name == "default" ? "use a list, such as 'default: [a, b]'" : "remove one of them")
        }
    }

    /// Checks that the values of an enum are nonempty and unique.
    private mutating func checkValues(_ nodes: [YAMLNode]) {
        var seen: [(text: String, span: Span?)] = []
        for node in nodes {
            guard let text = node.scalar?.text, !node.isNull else { continue }
            if text.isEmpty {
                error("a value of an enum cannot be empty", at: node.span)
            } else if let first = seen.first(where: { $0.text == text }) {
                error(
                    "the value '\(text)' is listed twice", at: node.span,
                    note: .init("first listed here", at: first.span))
            }
            seen.append((text, node.span))
        }
    }

    private mutating func applyDefault(_ node: YAMLNode, to parameter: inout Parameter) {
        guard let given = node["default"] else {
            guard !parameter.isRequired else { return }
            if parameter.kind == .bool { parameter.defaultValue = .bool(false) }
            if parameter.isVariadic { parameter.defaultValue = .list([]) }
            return
        }
        if given.members != nil {
            if let expression = expression(in: given) {
                reject(expression, expected: "a command without expressions")
            } else {
                parameter.defaultCommand = valueCommand(given, of: "default")
            }
        } else if parameter.kind != .enum || !parameter.values.isEmpty {
            // The default of an invalid enum is not checked, because the values are unknown.
            parameter.defaultValue = constant(given, parameter.valueType, keySpan: given.span)
        }
        if parameter.isRequired {
            error(
                "'required' has no effect together with 'default'", at: node["required"]?.span,
                hint: "remove one of them")
        }
    }

    /// Reports positions other than 1, 2, 3 and so on, and required parameters after optional ones.
    private mutating func checkPositions() {
        var before: Parameter?
        for (index, parameter) in lane.positionals.enumerated() {
            if let before, before.position == parameter.position {
                error("'\(before.name)' and '\(parameter.name)' have the same position", at: parameter.span)
                return
            }
            if parameter.position != index + 1 {
                error("no parameter has the position \(index + 1)", at: parameter.span, hint: "positions start at 1")
                return
            }
            if let before, before.isVariadic {
                error(
                    "'\(parameter.name)' follows '\(before.name)', which takes all remaining words", at: parameter.span,
                    hint: "give '\(before.name)' the last position")
            } else if parameter.mustBeGiven, let before, !before.mustBeGiven {
                error("'\(parameter.name)' is required but follows the optional '\(before.name)'", at: parameter.span)
            }
            before = parameter
        }
    }

    /// Returns a Boolean value that indicates whether a name consists of lowercase letters, digits and `-`, and starts
    /// with a letter.
    static func isName(_ name: String) -> Bool {
        let small = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = name.utf8.first, small.contains(first) else { return false }
        return name.utf8.allSatisfy { small.contains($0) || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}

extension Parameter {
    /// The type of the value in expressions.
    var expressionType: ExpressionType {
        if isVariadic { return .list }
        return switch kind {
        case .bool: .bool
        case .int: .integer
        case .string, .version, .duration, .enum, .path: .string
        }
    }
}
