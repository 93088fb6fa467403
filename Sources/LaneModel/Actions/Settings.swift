package import Diagnostics
package import Expressions

/// The evaluated settings of one step's action.
///
/// Names and types have been checked against the action's schema. An accessor returns `nil` only for a setting that was
/// omitted.
package struct Settings: Sendable, Equatable {
    /// The settings in an array, which is faster to search than a dictionary as there are few.
    private let members: [(name: String, value: Value)]
    /// The location of the action in its lane file, for messages.
    package let span: Span?
    /// The variables that a shell script refers to. The child process of a `run` step gets them in its environment.
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
    package var values: [String: Value] {
        Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// All settings in the order of their names.
    package var sortedMembers: [(name: String, value: Value)] {
        members.count > 1 ? members.sorted { $0.name < $1.name } : members
    }

    package static func == (one: Settings, other: Settings) -> Bool {
        one.values == other.values && one.span == other.span && one.variables.elementsEqual(other.variables, by: ==)
    }

    /// Returns the value of a setting, or `nil` if it was omitted and has no default.
    package subscript(name: String) -> Value? {
        for member in members where member.name == name { return member.value }
        return nil
    }

    /// Returns a setting as a string. Numbers and Booleans are converted as they are written.
    package func string(_ name: String) -> String? {
        switch self[name] {
        case .string(let value): value
        case .integer(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }

    /// Returns a setting that is a Boolean. The string `true` is not converted.
    package func bool(_ name: String) -> Bool? {
        if case .bool(let value) = self[name] { value } else { nil }
    }

    /// Returns a setting that is an integer.
    package func integer(_ name: String) -> Int? {
        if case .integer(let value) = self[name] { value } else { nil }
    }

    /// Returns a list of strings. A single string is a list of one.
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

    /// Returns a duration in the notation of lane files, such as `90s` or `2m`.
    package func duration(_ name: String) -> Duration? {
        string(name).flatMap { Duration(written: $0) }
    }

    /// Returns the members of a mapping in the order of the lane file.
    package func map(_ name: String) -> [(name: String, value: Value)]? {
        if case .map(let members) = self[name] { members } else { nil }
    }
}

extension Duration {
    /// Parses `250ms`, `90s`, `2m`, `1h` or a sum such as `1m30s`. Returns `nil` for anything else.
    init?(written text: String) {
        var total = Duration.zero
        var rest = Substring(text)
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, digits.count < 10, let number = Int(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            switch unit {
            case "ms": total += .milliseconds(number)
            case "s": total += .seconds(number)
            case "m": total += .seconds(number * 60)
            case "h": total += .seconds(number * 3600)
            default: return nil
            }
        }
        guard !text.isEmpty else { return nil }
        self = total
    }
}
