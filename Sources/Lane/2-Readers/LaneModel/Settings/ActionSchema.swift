package import Expressions
import Text

/// The name and the settings of an action.
///
/// The schema is used to check and decode lane files, and to generate help and the editor schema. It is a class because
/// every step refers to one.
package final class ActionSchema: Sendable {
    /// The name of the action in lane files.
    package let name: String
    /// One sentence without a full stop.
    package let summary: String
    /// The settings in the order of the help.
    package let settings: [SettingSchema]
    /// The setting whose value can directly follow the action's name.
    package let shorthand: String?
    /// The outputs of the action for later steps, or `nil` if each step determines them.
    package let outputs: [ActionOutput]?
    /// A Boolean value that indicates whether the action only builds, tests or checks, so that no other step relies on its
    /// result. With `--keep-going`, such a step runs after an unrelated failure, and the steps after a failed one run as
    /// well.
    package let isCheck: Bool
    /// Example steps of a lane file for help, or an empty string.
    package let example: String

    package init(
        _ name: String, _ summary: String, shorthand: String? = nil, settings: [SettingSchema] = [],
        outputs: [ActionOutput]? = nil, isCheck: Bool = false, example: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        self.shorthand = shorthand
        self.outputs = outputs
        self.isCheck = isCheck
        self.example = example
    }

    /// Returns a Boolean value that indicates whether steps with the action may have these outputs.
    package func declares(_ names: some Sequence<String>) -> Bool {
        outputs.map { Set($0.map(\.name)).isSuperset(of: names) } ?? true
    }

    /// Returns the setting with a name.
    package func setting(_ name: String) -> SettingSchema? {
        settings.first { $0.name == name }
    }
}

/// A value that later steps can read as `steps.ID.NAME`.
package struct ActionOutput: Sendable, Equatable {
    package let name: String
    let type: ExpressionType
    /// One sentence without a full stop.
    package let help: String

    package init(_ name: String, _ type: ExpressionType, _ help: String) {
        self.name = name
        self.type = type
        self.help = help
    }
}

/// One setting of an action, or one key of a mapping in lane files.
package struct SettingSchema: Sendable, Equatable {
    /// The key in lane files, or the member that a custom action reads.
    package let name: String
    /// The type of the values. Values in lane files are converted to this type.
    package let type: SettingType
    package let isRequired: Bool
    /// The value of an omitted setting.
    package let defaultValue: Value?
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

/// The type of a setting's values.
package indirect enum SettingType: Sendable, Equatable {
    case string
    /// A script for `sh -eu`. The values of expressions are passed to the script as variables.
    case script
    case bool
    case integer(ClosedRange<Int>)
    /// A semantic version such as `1.2.3`, or a word for the next version: `minor`, `prerelease:beta`, `auto`.
    case version
    /// The version of a tool, such as `6.2`. The text is significant: `6.10` differs from `6.1` even without quotes.
    case toolVersion
    /// A duration: `250ms`, `90s`, `2m`, `1h30m`.
    case duration
    /// A duration of more than zero.
    case timeLimit
    /// A day in ISO 8601 format: `2026-12-31`.
    case date
    /// One of several equal parts: `2/4`.
    case part
    /// A path relative to the root, with `/` between its components.
    case path
    case choice([String])
    /// A list. A single value counts as a list of one element.
    case list(SettingType)
    /// A mapping with any keys and values of one type.
    case map(SettingType)
    case object([SettingSchema])
    /// The first alternative with the form of the value: single value, list or mapping.
    case either([SettingType])
    /// A step of a lane, which `LaneDecoder` reads.
    case step
    /// Any value, which the caller checks.
    case any

    /// The description of the expected value for messages.
    package var kind: String {
        switch self {
        case .string, .script: "a string"
        case .bool: "true or false"
        case .integer(let range):
            range == .min ... .max
                ? "a whole number"
                : range.upperBound == .max
                    ? "a whole number from \(range.lowerBound)"
                    : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .version: "a version such as 1.2.3, or a word such as minor or auto"
        case .toolVersion: "a version such as 6.2"
        case .duration, .timeLimit: "a duration such as 90s, 2m or 1h30m"
        case .date: "a date such as 2026-12-31"
        case .part: "a part such as 2/4"
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
        case .integer: "numbers"
        case .toolVersion: "versions such as 6.2"
        case .either, .object, .map, .any: "values"
        default: "strings"
        }
    }
}

/// Calls `list(_:joinedBy:)` of `Text`, which `SettingType.list` shadows.
private func oneOf(_ words: [String]) -> String { list(words) }

extension ActionSchema {
    /// The action that runs another lane. A plan contains the steps of the lane instead.
    package static let lane = ActionSchema(
        "lane", "Run the steps of another lane; the 'parameters' of the step are the values of its parameters",
        shorthand: "name", settings: [SettingSchema("name", .string, "The name of the lane", isRequired: true)],
        example: """
            - lane: test
            - lane: deploy
              parameters: { target: staging }
            """)
}
