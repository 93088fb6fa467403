import Expressions
package import Text

/// A parser of the description that an executable in `Lanes/actions` prints for the argument `describe`.
///
///     {"summary": "Sends a message", "shorthand": "text",
///      "settings": [{"name": "text", "type": "string", "required": true, "help": "What to send"}]}
///
/// The types are those of parameters (`string`, `bool`, `int`, `version`, `duration`, `enum` with `values`, `path`),
/// `any`, and `list` and `map` of strings.
package enum ActionDescription {
    /// Returns the schema of the action, or `nil` if the description has errors.
    ///
    /// - Parameters:
    ///   - name: The name of the executable.
    ///   - prefix: The text before the executable's name in the name of the action: empty, or an import and a slash.
    ///   - builtIn: The names of the built-in actions, which no executable can have.
    package static func parse(
        _ file: SourceFile, name: String, prefix: String = "", builtIn: Set<String>
    ) -> (schema: ActionSchema?, diagnostics: Diagnostics) {
        var reader = ActionDescriptionReader(file: file, prefix: prefix, builtIn: builtIn)
        let schema = reader.schema(name)
        return (reader.diagnostics.hasErrors ? nil : schema, reader.diagnostics)
    }
}

private struct ActionDescriptionReader {
    let file: SourceFile
    let prefix: String
    let builtIn: Set<String>
    var diagnostics = Diagnostics()

    private func span(_ range: Range<Int>) -> Span { Span(file: file, range: range) }

    mutating func schema(_ name: String) -> ActionSchema? {
        let taken = builtIn.contains(name) || name == "lane" || LaneKeys.step.contains { $0.name == name }
        if taken || !LaneDecoder.isName(name) {
            diagnostics.error(
                "'\(name)' is not a valid name for an action", at: span(0..<0),
                hint: taken ? "the name is a key of lane files" : "use lowercase letters, digits and '-'")
        }
        do {
            let root = try JSONParser.parse(file.bytes)
            guard expect(root.members != nil, "an object", root) else { return nil }
            checkNames(of: root, among: ["summary", "shorthand", "settings"])
            var settings: [SettingSchema] = []
            for node in array(root["settings"]) {
                guard let setting = setting(node) else { continue }
                if settings.contains(where: { $0.name == setting.name }) {
                    diagnostics.error("the setting '\(setting.name)' is defined twice", at: span(node.range))
                }
                settings.append(setting)
            }
            let shorthand = string(root["shorthand"])
            if let shorthand, !settings.contains(where: { $0.name == shorthand }) {
                diagnostics.error(
                    "the shorthand '\(shorthand)' is not a setting", at: root["shorthand"].map { span($0.range) })
            }
            return ActionSchema(prefix + name, string(root["summary"]) ?? "", shorthand: shorthand, settings: settings)
        } catch {
            let end = min(error.offset + 1, file.bytes.count)
            diagnostics.error(error.message, at: span(min(error.offset, end)..<end))
            return nil
        }
    }

    private mutating func setting(_ node: JSONNode) -> SettingSchema? {
        guard expect(node.members != nil, "an object", node) else { return nil }
        checkNames(of: node, among: ["name", "type", "values", "help", "required", "default"])
        guard let name = string(node["name"]), !name.isEmpty else {
            diagnostics.error("the setting has no name", at: span(node.range))
            return nil
        }
        guard let type = type(node) else { return nil }
        var value: Value?
        if let given = node["default"] {
            do {
                value = try type.coerce(Value(given))
            } catch {
                diagnostics.error("expected \(type.kind), found \(given.kind)", at: span(given.range), hint: error.hint)
            }
        }
        return SettingSchema(
            name, type, string(node["help"]) ?? "", isRequired: bool(node["required"]) ?? false, default: value)
    }

    private mutating func type(_ node: JSONNode) -> SettingType? {
        let word = string(node["type"]) ?? "string"
        if word != "enum", let values = node["values"] {
            diagnostics.error("only an enum has 'values'", at: span(values.range))
        }
        switch word {
        case "any": return .any
        case "list": return .list(.string)
        case "map": return .map(.string)
        default:
            if let kind = Parameter.Kind(rawValue: word) {
                let values = kind == .enum ? array(node["values"]).compactMap { string($0) } : []
                if kind == .enum, values.isEmpty { diagnostics.error("an enum needs 'values'", at: span(node.range)) }
                return kind.type(values)
            }
            let names = Parameter.Kind.allCases.map(\.rawValue) + ["any", "list", "map"]
            diagnostics.error(
                "expected \(list(names)), found '\(word)'", at: node["type"].map { span($0.range) },
                hint: suggestion(for: word, among: names))
            return nil
        }
    }

    private mutating func checkNames(of node: JSONNode, among names: [String]) {
        for member in node.members ?? [] where !names.contains(member.name) {
            let near = suggestion(for: member.name, among: names)
            diagnostics.error(
                "unknown member '\(member.name)'", at: span(member.nameRange),
                hint: near ?? "the members are \(list(names, joinedBy: "and"))")
        }
    }

    private mutating func expect(_ holds: Bool, _ wanted: String, _ node: JSONNode) -> Bool {
        if !holds { diagnostics.error("expected \(wanted), found \(node.kind)", at: span(node.range)) }
        return holds
    }

    private mutating func string(_ node: JSONNode?) -> String? {
        guard let node, expect(node.string != nil, "a string", node) else { return nil }
        return node.string
    }

    private mutating func bool(_ node: JSONNode?) -> Bool? {
        guard let node, expect(node.bool != nil, "a boolean", node) else { return nil }
        return node.bool
    }

    private mutating func array(_ node: JSONNode?) -> [JSONNode] {
        guard let node, expect(node.array != nil, "an array", node) else { return [] }
        return node.array ?? []
    }
}
