import Expressions
import Text
import YAML

extension LaneDecoder {
    /// Decodes `let`: values and commands, which can read the values before them.
    mutating func decodeValues(_ member: YAMLMember) {
        guard let members = member.value.members else {
            return wrong(
                member, expected: "a mapping of names and values",
                hint: "for example 'commit: { run: git rev-parse HEAD }'")
        }
        let excluded = settings.scope.excluded
        defer { settings.scope.excluded = excluded }
        settings.scope.excluded[.steps] = "the values of 'let' are computed before the first step"
        for member in members {
            if let value = value(member) { lane.values.append(value) }
            // An invalid value is reported once and not for each use.
            settings.scope.values[member.name] =
                lane.values.last.flatMap { $0.name == member.name ? $0.type : nil } ?? .any
        }
    }

    private mutating func value(_ member: YAMLMember) -> LaneValue? {
        guard Expression.isName(member.name) else {
            error(
                "'\(member.name)' is not a valid name for a value", at: member.nameSpan,
                hint: "use letters, digits, '-' and '_'")
            return nil
        }
        if let other = lane.values.first(where: { $0.name == member.name }) {
            error(
                "an included file already defines the value '\(member.name)'", at: member.nameSpan,
                note: .init("defined here", at: other.span))
            return nil
        }
        let source: LaneValue.Source?
        if member.value.members != nil {
            source = valueCommand(member.value, of: "let").map { .output($0) }
        } else if member.value.isNull {
            error("'\(member.name)' has no value", at: member.nameSpan, hint: "write '' for an empty string")
            source = nil
        } else {
            if let text = member.value.scalar?.text, text.hasPrefix("$("), text.hasSuffix(")") {
                let command = YAMLWriter.quoted(String(text.dropFirst(2).dropLast()))
                warning(
                    "no shell runs the command in '\(member.name)'", at: member.value.span,
                    hint: "write \(inQuotes("\(member.name): { run: \(command) }"))")
            }
            source = settings.decode(member.value, .any, keySpan: member.nameSpan).map { .node($0) }
        }
        return source.map { LaneValue(name: member.name, source: $0, span: member.nameSpan) }
    }

    /// Decodes a command such as `{ run: git rev-parse HEAD }`. `owner` is the key of the mapping.
    mutating func valueCommand(_ node: YAMLNode, of owner: String) -> ValueCommand? {
        let errors = settings.diagnostics.all.count
        let template = settings.decode(ValueCommand.schema(of: owner), node)
        if let run = node[ValueCommand.setting] {
            checkWord(run, of: "a command", keySpan: run.span, example: "run: git rev-parse HEAD")
            if run.sequence?.isEmpty == true {
                error("expected a program and its arguments, found an empty list", at: run.span)
            }
        }
        var secrets: [String] = []
        if let member = node.members?["secrets"] { secrets = self.secrets(member, isOfStep: true) }
        guard settings.diagnostics.all.count == errors else { return nil }
        let isSecret = template.members["secret"]?.constant == .bool(true)
        return ValueCommand(
            settings: template, secrets: Set(secrets), isSecret: isSecret || !secrets.isEmpty, span: node.span)
    }
}
