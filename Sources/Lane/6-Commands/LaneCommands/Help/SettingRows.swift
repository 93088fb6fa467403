import Arguments
import Expressions
import LaneModel
import Text

extension HelpPage.Row {
    /// Returns the row of a setting, followed by the rows of nested settings, indented by two spaces.
    static func rows(_ setting: SettingSchema, depth: Int = 0) -> [HelpPage.Row] {
        var facts = [setting.type.values]
        if setting.isRequired { facts.append("required") }
        if let text = setting.defaultValue?.written { facts.append("default: \(text)") }
        let name = String(repeating: "  ", count: depth) + setting.name
        let inner = depth < 3 ? setting.type.members : []
        return [HelpPage.Row(name, "\(setting.help) (\(facts.joined(separator: "; "))).")]
            + inner.flatMap { rows($0, depth: depth + 1) }
    }

    static func rows(_ settings: [SettingSchema]) -> [HelpPage.Row] {
        settings.flatMap { rows($0) }
    }
}

extension SettingType {
    /// The description of the allowed values.
    fileprivate var values: String {
        switch self {
        case .choice(let words): oneOf(words)
        case .list(.choice(let words)): "a list of \(oneOf(words))"
        case .list(.either(let types)): "a list, each \(oneOf(types.map(\.values)))"
        case .either(let types): oneOf(types.map(\.values))
        default: kind
        }
    }

    /// The settings of a value that is a mapping or a list of mappings.
    fileprivate var members: [SettingSchema] {
        switch self {
        case .object(let settings): settings
        case .list(let type), .map(let type): type.members
        case .either(let types): types.flatMap(\.members)
        default: []
        }
    }
}

extension Value {
    /// The value in the syntax of lane files.
    fileprivate var written: String? {
        switch self {
        case .null: nil
        case .list(let values): "[\(values.compactMap(\.written).joined(separator: ", "))]"
        case .map: nil
        case .bool, .integer, .string: text
        }
    }
}

/// Calls `list(_:joinedBy:)` of `Diagnostics`, which `SettingType.list` shadows.
private func oneOf(_ words: [String]) -> String { list(words) }
