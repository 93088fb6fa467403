import Expressions
package import Text
import YAML

extension YAMLNode {
    /// Returns the span for a message about the node: its own, or that of its key if the node is empty.
    func span(or key: Span?) -> Span? { span.flatMap { $0.range.isEmpty ? nil : $0 } ?? key ?? span }
}

/// A decoder of settings in YAML. It checks them against a schema and reports all errors.
struct SettingDecoder {
    typealias Node = SettingsTemplate.Node

    var scope: ExpressionScope
    var diagnostics = Diagnostics()

    mutating func decode(_ action: ActionSchema, _ node: YAMLNode) -> SettingsTemplate {
        var members: [SettingsTemplate.Member] = []
        if let given = node.members {
            members = decode(given, action.settings, of: action.name, at: node.span, isAction: true)
        } else if !node.isNull {
            members = shorthand(action, node)
        } else if let missing = action.settings.first(where: \.isRequired) {
            diagnostics.error(
                "'\(action.name)' needs \(missing.type.kind)", at: node.span, hint: Self.commentHint(at: node.span))
        }
        return SettingsTemplate(members: members, action: action, span: node.span)
    }

    private mutating func shorthand(_ action: ActionSchema, _ node: YAMLNode) -> [SettingsTemplate.Member] {
        guard let name = action.shorthand, let setting = action.setting(name) else {
            let isService = action.name == BuiltInAction.service.name
            diagnostics.error(
                "expected a mapping with the settings of '\(action.name)', found \(node.kind)", at: node.span,
                hint: isService
                    ? "write '{ image: … }' for a container, or '{ run: … }' for a command"
                    : action.settings.isEmpty
                        ? "write '\(action.name): {}'" : Self.names(of: action.settings, of: action.name))
            return []
        }
        let before = diagnostics
        guard let value = decode(node, setting.type) else {
            // Another word than one of a few may be the value of another setting.
            if case .choice = setting.type, let scalar = node.scalar, !Template.isTemplate(scalar.text) {
                let hint = diagnostics.all.last?.hint
                diagnostics = before
                _ = reject(node, setting.type, nil, hint: hint ?? Self.names(of: action.settings, of: action.name))
            }
            return []
        }
        return [SettingsTemplate.Member(name: name, node: value)]
    }

    /// Returns the only candidate that starts with the first four letters of a word, such as `retries` for `retry`.
    private static func only(_ word: String, startsOneOf candidates: [String]) -> String? {
        let found = word.count < 4 ? [] : candidates.filter { $0.hasPrefix(word.prefix(4)) }
        return found.count == 1 ? found[0] : nil
    }

    /// Returns a hint with the names of all settings, or with the command that lists many settings of an action.
    private static func names(of settings: [SettingSchema], of action: String?) -> String {
        action.flatMap { settings.count > 15 ? "'lane help \($0)' lists the settings" : nil }
            ?? "the settings are \(list(settings.map(\.name), joinedBy: "and"))"
    }

    /// Decodes the members of a mapping with a fixed set of keys.
    mutating func decode(
        _ members: [YAMLMember], _ settings: [SettingSchema], of owner: String, at span: Span?, isAction: Bool = false
    ) -> [SettingsTemplate.Member] {
        var result: [SettingsTemplate.Member] = []
        for member in members {
            guard let setting = settings.first(where: { $0.name == member.name }) else {
                let names = settings.map(\.name)
                let known = LaneKeys.foreignOptions[member.name].flatMap { names.contains($0) ? $0 : nil }
                let isOfService = owner == BuiltInAction.service.name
                let foreign = isOfService ? LaneKeys.foreignInServices[member.name] : nil
                let near =
                    (known ?? nearest(to: member.name, among: names) ?? Self.only(member.name, startsOneOf: names))
                    .map { "did you mean '\($0)'?" }
                    ?? (names.isEmpty
                        ? "'\(owner)' has no settings" : Self.names(of: settings, of: isAction ? owner : nil))
                diagnostics.error(
                    "unknown setting '\(member.name)' of '\(owner)'", at: member.nameSpan, hint: foreign ?? near)
                continue
            }
            if case .bool = setting.type, let text = member.value.scalar?.text,
                let percentage = Int(text.hasSuffix("%") ? text.dropLast() : text[...]),
                let threshold = settings.first(where: { $0.name == "\(member.name)-threshold" })
            {
                _ = reject(member.value, setting.type, nil, hint: "write '\(threshold.name): \(percentage)'")
                continue
            }
            if let node = decode(member.value, setting.type, keySpan: member.nameSpan) {
                result.append(SettingsTemplate.Member(name: member.name, node: node))
            }
        }
        for setting in settings where setting.isRequired && !members.contains(where: { $0.name == setting.name }) {
            diagnostics.error("'\(owner)' needs '\(setting.name)'", at: span)
        }
        return result
    }

    /// Decodes a value. Reports an error and returns `nil` if the value is invalid. Reports an empty value at
    /// `keySpan`.
    mutating func decode(_ node: YAMLNode, _ type: SettingType, keySpan: Span? = nil) -> Node? {
        if let scalar = node.scalar, Template.isTemplate(scalar.text) { return template(node, type) }
        switch (type, node.content) {
        case (.either(let types), _): return either(types, node, type, keySpan)
        case (.any, _): return anything(node)
        case (.list(let element), .sequence(let nodes)):
            return .list(elements(nodes, element))
        case (.list(let element), .scalar) where !node.isNull:
            return decode(node, element).map { .list([$0]) }
        case (.list(let element), .mapping(let members)):
            switch element {
            case .either, .object: return decode(node, element).map { .list([$0]) }
            default:
                let names = members.map(\.name).joined(separator: ", ")
                return reject(node, type, keySpan, hint: names.isEmpty ? nil : "write a list: [\(names)]")
            }
        case (.map(let value), .mapping(let members)):
            return .map(
                members.compactMap { member in
                    decode(member.value, value, keySpan: member.nameSpan).map { .init(name: member.name, node: $0) }
                })
        case (.object(let settings), .mapping(let members)):
            // An element of a list has no key.
            let key = keySpan.flatMap { $0.file.path == node.span?.file.path ? $0.text : nil }
            return .map(decode(members, settings, of: key ?? "this mapping", at: node.span))
        case (.map, .sequence): return reject(node, type, keySpan, hint: "write 'NAME: …' in place of each '- '")
        case (_, .scalar(let scalar)): return single(scalar, node, type, keySpan)
        default: return reject(node, type, keySpan)
        }
    }

    private mutating func elements(_ nodes: [YAMLNode], _ type: SettingType) -> [Node] {
        var elements: [Node] = []
        elements.reserveCapacity(nodes.count)
        for node in nodes {
            let isExpression = node.scalar.map { Template.isTemplate($0.text) } ?? false
            let element = isExpression ? template(node, type, isElement: true) : decode(node, type)
            if let element { elements.append(element) }
        }
        return elements
    }

    private mutating func reject(_ node: YAMLNode, _ type: SettingType, _ keySpan: Span?, hint: String? = nil) -> Node?
    {
        let comment = node.isNull ? Self.commentHint(at: node.span) : nil
        diagnostics.error(
            "expected \(type.kind), found \(node.kind)", at: node.span(or: keySpan), hint: comment ?? hint)
        return nil
    }

    /// Returns the hint on an empty value if a comment is in its place, such as `#1` or `#fff`.
    private static func commentHint(at span: Span?) -> String? {
        guard let span, span.range.isEmpty else { return nil }
        let rest = span.file.bytes[span.range.lowerBound...].drop { $0 == UInt8(ascii: ":") || $0.isBlank }
        return rest.first == UInt8(ascii: "#") ? "put the value in quotes, because '#' starts a comment" : nil
    }

    private mutating func either(
        _ types: [SettingType], _ node: YAMLNode, _ whole: SettingType, _ keySpan: Span?
    ) -> Node? {
        let fitting = types.first { type in
            switch (type, node.content) {
            case (.list, .sequence), (.map, .mapping), (.object, .mapping), (.any, _): true
            case (.list, _), (.map, _), (.object, _): false
            case (_, .scalar): true
            default: false
            }
        }
        let listType = types.first { if case .list = $0 { true } else { false } }
        guard let type = fitting ?? (node.scalar == nil ? nil : listType) else { return reject(node, whole, keySpan) }
        let before = diagnostics
        guard let result = decode(node, type, keySpan: keySpan) else {
            // The error for a single value lists all alternatives.
            guard let scalar = node.scalar, !Template.isTemplate(scalar.text) else { return nil }
            let hint = diagnostics.all.last?.hint
            diagnostics = before
            return reject(node, whole, keySpan, hint: hint)
        }
        return result
    }

    private mutating func single(
        _ scalar: YAMLScalar, _ node: YAMLNode, _ type: SettingType, _ keySpan: Span?
    ) -> Node? {
        do {
            return .value(try type.value(of: scalar))
        } catch {
            return reject(node, type, keySpan, hint: error.hint)
        }
    }

    private mutating func anything(_ node: YAMLNode) -> Node? {
        switch node.content {
        case .sequence: decode(node, .list(.any))
        case .mapping: decode(node, .map(.any))
        case .scalar(let scalar), .annotated(let scalar, _):
            switch scalar.meaning {
            case .null: .value(.null)
            case .bool(let value): .value(.bool(value))
            case .integer(let value): .value(.integer(value))
            case .string: .value(.string(scalar.text))
            case .number, .legacyBool, .legacyOctal: reject(node, .string, nil, hint: "put it in quotes")
            }
        }
    }

    /// Reports expressions in quoted here-documents, where the shell would not expand their variables.
    private mutating func checkHereDocuments(_ template: Template) {
        var script = ShellScript()
        for part in template.parts {
            switch part {
            case .text(let text): script.append(text)
            case .expression(let expression):
                if script.isLiteralContext {
                    diagnostics.error(
                        "an expression cannot be used in a here-document with a quoted delimiter", at: expression.span,
                        hint: "remove the quotes of the delimiter, or pass the value in 'env'")
                }
                script.append(value: "")
            }
        }
    }

    /// Decodes a string with expressions. Checks the expressions. The result is checked after the evaluation.
    ///
    /// - Parameter isElement: A Boolean value that indicates whether the string is an element of a list. If its
    ///   expression evaluates to a list, the elements are inserted.
    mutating func template(_ node: YAMLNode, _ type: SettingType, isElement: Bool = false) -> Node? {
        var errors: [Diagnostic] = []
        let template = Template(node, errors: &errors)
        for error in errors { diagnostics.add(error) }
        let found = diagnostics.all.count
        if case .expression(let only)? = template.parts.first, template.parts.count == 1 {
            let result = scope.check(only, into: &diagnostics)
            if errors.isEmpty, diagnostics.all.count == found, !type.accepts(result), !(isElement && result == .list) {
                diagnostics.error(
                    "expected \(type.kind), found \(result.kind)", at: only.span,
                    hint: result == .list && type == .string ? only.joinHint : nil)
            }
        } else {
            scope.check(template, takesLists: type.isScript, into: &diagnostics)
            if errors.isEmpty, !type.acceptsMixedText {
                diagnostics.error("expected \(type.kind), found a string with expressions", at: node.span)
            }
        }
        if type.isScript { checkHereDocuments(template) }
        return diagnostics.all.count == found && errors.isEmpty ? .template(template) : nil
    }
}

/// A YAML file with settings but without expressions, such as the configuration of an action.
package enum SettingsFile {
    /// Returns the settings of a file that conforms to a schema, or `nil` and the errors if the file is invalid.
    package static func read(
        _ source: SourceFile, _ schema: ActionSchema
    ) -> (settings: Settings?, diagnostics: Diagnostics) {
        var (node, diagnostics) = YAMLParser.parse(source)
        guard let node else { return (nil, diagnostics) }
        var decoder = SettingDecoder(scope: ExpressionScope())
        let template = decoder.decode(schema, node)
        diagnostics.add(decoder.diagnostics)
        for expression in template.expressions {
            diagnostics.error("expressions are not allowed in this file", at: expression.span)
        }
        guard !diagnostics.hasErrors, let settings = try? template.evaluate(in: EvaluationContext()) else {
            return (nil, diagnostics)
        }
        return (settings, diagnostics)
    }
}
