package import Expressions
package import Text

/// The evaluated settings of one step's action.
///
/// The names and types conform to the action's schema. An accessor returns `nil` only for an omitted setting.
package struct Settings: Sendable {
    /// The settings. There are few, and an array of few elements is faster to search than a dictionary.
    private let members: [(name: String, value: Value)]
    /// The location of the action in its lane file, for messages.
    package let span: Span?
    /// The variables of a shell script, which the child process of a `run` step gets in its environment.
    package let variables: [(name: String, value: String)]

    package init(
        _ values: [String: Value] = [:], span: Span? = nil, variables: [(name: String, value: String)] = []
    ) {
        self.init(members: values.map { (name: $0.key, value: $0.value) }, span: span, variables: variables)
    }

    /// Creates settings from members with unique names.
    init(members: [(name: String, value: Value)], span: Span?, variables: [(name: String, value: String)]) {
        self.members = members
        self.span = span
        self.variables = variables
    }

    /// All settings that have a value or a default.
    package var values: [String: Value] { Value.byName(members) }

    /// All settings in the order of their names.
    package var sortedMembers: [(name: String, value: Value)] {
        members.count > 1 ? members.sorted { $0.name < $1.name } : members
    }

    /// Returns the value of a setting, or `nil` if the setting is omitted and has no default.
    package subscript(name: String) -> Value? {
        for member in members where member.name == name { return member.value }
        return nil
    }

    /// Returns a shell script with the values of its variables in place of their references, as a user can run it.
    package func shown(script: String) -> String { ShellScript.inlining(variables, in: script) }

    /// Returns a setting as a string. Converts numbers and Booleans to their text.
    package func string(_ name: String) -> String? { self[name]?.text }

    /// Returns a Boolean setting. Does not convert the string `true`.
    package func bool(_ name: String) -> Bool? {
        if case .bool(let value) = self[name] { value } else { nil }
    }

    /// Returns an integer setting.
    package func integer(_ name: String) -> Int? {
        if case .integer(let value) = self[name] { value } else { nil }
    }

    /// Returns a list of strings. A single string is a list of one element.
    package func strings(_ name: String) -> [String]? {
        switch self[name] {
        case .string(let value): [value]
        case .list(let values):
            values.compactMap { value in
                if case .string(let text) = value { text } else { nil }
            }
        default: nil
        }
    }

    /// Returns a duration, which lane files contain in a notation such as `90s` or `2m`.
    package func duration(_ name: String) -> Duration? {
        string(name).flatMap { Duration(written: $0) }
    }

    /// Returns the members of a mapping in the order of the lane file.
    package func map(_ name: String) -> [(name: String, value: Value)]? {
        if case .map(let members) = self[name] { members } else { nil }
    }
}
