package import Expressions
package import Text

/// The JSON Schema (draft 7) of lane files, generated from the schemas of actions and keys.
package enum LaneSchema {
    /// Returns the schema as indented text.
    ///
    /// - Parameter actions: The actions of steps.
    package static func json(actions: [ActionSchema]) -> String {
        JSONWriter.document { writer in
            writer.member("$schema", "http://json-schema.org/draft-07/schema#")
            writer.member("title", "A lane file")
            writer.member("description", "One lane of 'lane', named like its file in Lanes/")
            members(LaneKeys.lane, into: &writer, expressions: false)
            writer.array("anyOf") { writer in
                for key in ["steps", "needs"] { required([key], &writer) }
            }
            writer.object("definitions") { writer in
                writer.object("expression") { text("\\$\\{\\{.*\\}\\}", &$0, expressions: false) }
                writer.object("step") { writer in step(actions, &writer) }
            }
        }
    }

    private static func required(_ names: [String], _ writer: inout JSONWriter) {
        writer.object { $0.member("required", names) }
    }

    private static func step(_ actions: [ActionSchema], _ writer: inout JSONWriter) {
        writer.member("type", "object")
        writer.object("properties") { writer in
            for key in LaneKeys.ofStep { property(key.schema, &writer, expressions: key.hasExpressions) }
            for action in actions {
                writer.object(action.name) { writer in
                    writer.member("description", action.summary)
                    body(of: action, &writer)
                }
            }
        }
        writer.member("additionalProperties", false)
        writer.array("oneOf") { writer in
            for name in actions.map(\.name) + ["parallel"] { required([name], &writer) }
        }
    }

    /// Writes the schema of an action's value: its settings, or the value of its shorthand.
    private static func body(of action: ActionSchema, _ writer: inout JSONWriter) {
        writer.array("anyOf") { writer in
            // The parameters of a 'lane' step are in a separate key.
            if action.name != ActionSchema.lane.name {
                writer.object { members(action.settings, into: &$0, expressions: true) }
            }
            if let name = action.shorthand, let setting = action.setting(name) {
                writer.object { type(setting.type, &$0, expressions: true) }
            }
            if !action.settings.contains(where: \.isRequired) {
                writer.object { $0.member("type", "null") }
            }
        }
    }

    /// Writes the schema of an object's properties.
    private static func members(_ settings: [SettingSchema], into writer: inout JSONWriter, expressions: Bool) {
        writer.member("type", "object")
        writer.object("properties") { writer in
            for setting in settings { property(setting, &writer, expressions: expressions || setting.name == "env") }
        }
        let names = settings.filter(\.isRequired).map(\.name)
        if !names.isEmpty { writer.member("required", names) }
        writer.member("additionalProperties", false)
    }

    private static func property(_ setting: SettingSchema, _ writer: inout JSONWriter, expressions: Bool) {
        writer.object(setting.name) { writer in
            writer.member("description", setting.help)
            if let value = setting.defaultValue { writer.member("default", value) }
            switch setting.name {
            case "if": writer.member("type", ["string", "boolean"])
            case "id": text("^[A-Za-z_][A-Za-z0-9_-]*$", &writer, expressions: false)
            case "env":
                named("^[A-Za-z_][A-Za-z0-9_]*$", &writer) { $0.member("type", ["string", "integer", "boolean"]) }
            case "matrix":
                named("^[A-Za-z_][A-Za-z0-9_-]*$", &writer) { writer in
                    writer.member("type", "array")
                    writer.member("minItems", 1)
                }
            default: type(setting.type, &writer, expressions: expressions)
            }
        }
    }

    /// Writes the schema of a mapping whose keys match a pattern.
    private static func named(_ pattern: String, _ writer: inout JSONWriter, _ value: (inout JSONWriter) -> Void) {
        writer.member("type", "object")
        writer.object("propertyNames") { $0.member("pattern", pattern) }
        writer.object("additionalProperties", value)
    }

    private static func type(_ type: SettingType, _ writer: inout JSONWriter, expressions: Bool) {
        switch type {
        case .string, .path, .version: writer.member("type", ["string", "integer"])
        case .toolVersion: writer.member("type", ["string", "number"])
        case .script: writer.member("type", ["string", "boolean"])
        case .any: break
        case .step: writer.member("$ref", "#/definitions/step")
        case .bool: single(&writer, expressions: expressions) { $0.member("type", "boolean") }
        case .integer(let range):
            single(&writer, expressions: expressions) { writer in
                writer.member("type", "integer")
                if range.lowerBound > .min { writer.member("minimum", range.lowerBound) }
                if range.upperBound < .max { writer.member("maximum", range.upperBound) }
            }
        case .duration, .timeLimit: text("^([0-9]+(ms|s|m|h))+$", &writer, expressions: expressions)
        case .date: text("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", &writer, expressions: expressions)
        case .part: text("^[0-9]+/[0-9]+$", &writer, expressions: expressions)
        case .choice(let values): single(&writer, expressions: expressions) { $0.member("enum", values) }
        case .list(let element):
            alternatives(&writer, [element], expressions: expressions) { writer in
                writer.object { writer in
                    writer.member("type", "array")
                    writer.object("items") { self.type(element, &$0, expressions: expressions) }
                }
            }
        case .map(let value):
            writer.member("type", "object")
            writer.object("additionalProperties") { self.type(value, &$0, expressions: expressions) }
        case .object(let settings): members(settings, into: &writer, expressions: expressions)
        case .either(let types): alternatives(&writer, types, expressions: expressions) { _ in }
        }
    }

    /// Writes the schema of a string that matches a pattern.
    private static func text(_ pattern: String, _ writer: inout JSONWriter, expressions: Bool) {
        single(&writer, expressions: expressions) { writer in
            writer.member("type", "string")
            writer.member("pattern", pattern)
        }
    }

    private static func alternatives(
        _ writer: inout JSONWriter, _ types: [SettingType], expressions: Bool, _ more: (inout JSONWriter) -> Void
    ) {
        writer.array("anyOf") { writer in
            for type in types where type != .step { writer.object { self.type(type, &$0, expressions: expressions) } }
            more(&writer)
        }
    }

    /// Writes the schema of a single value, or of an expression that evaluates to one.
    private static func single(
        _ writer: inout JSONWriter, expressions: Bool, _ body: (inout JSONWriter) -> Void
    ) {
        guard expressions else { return body(&writer) }
        writer.array("anyOf") { writer in
            writer.object(body)
            writer.object { $0.member("$ref", "#/definitions/expression") }
        }
    }
}

extension JSONWriter {
    /// Writes a member with a value of a lane file.
    package mutating func member(_ name: String, _ value: Value) {
        self.name(name)
        self.value(value)
    }

    /// Writes a value of a lane file as an element, or as the member `name`.
    mutating func value(_ value: Value) {
        switch value {
        case .null: null()
        case .bool(let value): self.value(value)
        case .integer(let value): self.value(value)
        case .string(let value): self.value(value)
        case .list(let values):
            array { writer in
                for value in values { writer.value(value) }
            }
        case .map(let members):
            object { writer in
                for member in members { writer.member(member.name, member.value) }
            }
        }
    }
}

extension Value {
    /// Creates a value from JSON. A number with a fraction is a string.
    package init(_ node: JSONNode) {
        self =
            switch node.content {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .number(let value): .string("\(value)")
            case .string(let value): .string(value)
            case .array(let nodes): .list(nodes.map { Value($0) })
            case .object(let members): .map(members.map { ($0.name, Value($0.value)) })
            }
    }
}
