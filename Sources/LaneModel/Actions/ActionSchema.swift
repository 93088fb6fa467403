import Diagnostics

/// What an action is called and which settings it takes.
///
/// The one description from which lane files are decoded and checked, help and editor schema are written, and results
/// of expressions are converted. A class, because every step refers to one.
package final class ActionSchema: Sendable, Equatable {
    /// The word that lane files write.
    package let name: String
    /// One sentence without a full stop.
    package let summary: String
    /// In the order in which help lists them.
    package let settings: [SettingSchema]
    /// The setting that is meant when a single value or a list stands behind the action's name.
    package let shorthand: String?

    package init(_ name: String, _ summary: String, shorthand: String? = nil, settings: [SettingSchema] = []) {
        self.name = name
        self.summary = summary
        self.settings = settings
        self.shorthand = shorthand
    }

    package static func == (one: ActionSchema, other: ActionSchema) -> Bool {
        one === other
            || (one.name == other.name && one.summary == other.summary && one.settings == other.settings
                && one.shorthand == other.shorthand)
    }

    /// The setting of that name, if the action takes it.
    package func setting(_ name: String) -> SettingSchema? {
        settings.first { $0.name == name }
    }
}

/// One setting of an action, or one key of a mapping in lane files.
package struct SettingSchema: Sendable, Equatable {
    /// The key in a lane file, or for a custom action the member it reads.
    package let name: String
    /// What values are checked against and results of expressions brought to.
    package let type: SettingType
    let isRequired: Bool
    /// What holds when it is left out.
    let defaultValue: Value?
    /// One sentence without a full stop.
    package let help: String

    package init(
        _ name: String, _ type: SettingType, _ help: String, isRequired: Bool = false,
        default defaultValue: Value? = nil
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.help = help
    }
}

/// The values that a setting may have.
package indirect enum SettingType: Sendable, Equatable {
    case string
    /// Text for `sh -eu`; values of expressions reach it as variables, never as text.
    case script
    case bool
    case integer(ClosedRange<Int>)
    /// `1.2.3` as semantic versioning has it, or a word for the next version: `minor`, `prerelease:beta`, `auto`.
    case version
    /// `250ms`, `90s`, `2m`, `1h30m`
    case duration
    /// A path below the root, with `/` between its parts.
    case path
    case choice([String])
    /// A single value counts as a list of one.
    case list(SettingType)
    /// Any names, all with values of one type.
    case map(SettingType)
    case object([SettingSchema])
    /// The first alternative whose form (single value, list, mapping) fits.
    case either([SettingType])
    /// A step of a lane, read by the decoder of steps.
    case step
    /// Anything; checked by whoever reads it.
    case any

    /// What is wanted, as a message names it.
    package var kind: String {
        switch self {
        case .string, .script: "a text"
        case .bool: "true or false"
        case .integer(let range):
            range == .min ... .max
                ? "a whole number"
                : range.upperBound == .max
                    ? "a whole number from \(range.lowerBound)"
                    : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .version: "a version such as 1.2.3, or a word such as minor or auto"
        case .duration: "a duration such as 90s, 2m or 1h30m"
        case .path: "a path"
        case .choice(let values): oneOf(values)
        case .list(let element): "a list of \(element.plural)"
        case .map: "a mapping"
        case .object: "a mapping"
        case .either(let types): oneOf(types.map(\.kind))
        case .step: "a step"
        case .any: "a value"
        }
    }

    private var plural: String {
        switch self {
        case .path: "paths"
        case .step: "steps"
        case .either, .object, .map, .any: "values"
        default: "texts"
        }
    }
}

/// The wording of `Diagnostics`, under a name that no case of `SettingType` has.
private func oneOf(_ words: [String]) -> String { list(words) }
