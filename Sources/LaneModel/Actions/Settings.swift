package import Diagnostics

/// The settings of one step's action with every expression worked out: what an action gets to read.
///
/// Names and types were checked against the action's description before, so an accessor gives `nil` only for a setting
/// that was left out.
package struct Settings: Sendable, Equatable {
    /// Few, so the one of a name is found soonest by looking at each.
    private let members: [(name: String, value: Value)]
    /// Where the action stands in its lane file, for messages.
    package let span: Span?
    /// Variables that the text for the shell refers to; a `run` step's child needs them on top of its environment.
    package let variables: [(name: String, value: String)]

    package init(
        _ values: [String: Value] = [:], span: Span? = nil, variables: [(name: String, value: String)] = []
    ) {
        self.init(members: values.map { (name: $0.key, value: $0.value) }, span: span, variables: variables)
    }

    /// Every name must be there once.
    init(members: [(name: String, value: Value)], span: Span?, variables: [(name: String, value: String)]) {
        self.members = members
        self.span = span
        self.variables = variables
    }

    /// All that were given or have defaults.
    package var values: [String: Value] {
        Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// In the order of their names.
    package var sortedMembers: [(name: String, value: Value)] {
        members.count > 1 ? members.sorted { $0.name < $1.name } : members
    }

    package static func == (one: Settings, other: Settings) -> Bool {
        one.values == other.values && one.span == other.span && one.variables.elementsEqual(other.variables, by: ==)
    }

    /// `nil` for a setting that was left out and has no default.
    package subscript(name: String) -> Value? {
        for member in members where member.name == name { return member.value }
        return nil
    }

    /// A text; a number or a boolean counts as the text that it is written as.
    package func string(_ name: String) -> String? {
        switch self[name] {
        case .string(let value): value
        case .integer(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }

    /// A boolean and nothing else: the text `true` is none.
    package func bool(_ name: String) -> Bool? {
        if case .bool(let value) = self[name] { value } else { nil }
    }

    /// A whole number and nothing else.
    package func integer(_ name: String) -> Int? {
        if case .integer(let value) = self[name] { value } else { nil }
    }

    /// A list of strings; a single string counts as a list of one.
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

    /// A duration as it stands in lane files, `90s` or `2m`.
    package func duration(_ name: String) -> Duration? {
        string(name).flatMap { Duration(written: $0) }
    }

    /// The members of a mapping in the order of the lane file.
    package func map(_ name: String) -> [(name: String, value: Value)]? {
        if case .map(let members) = self[name] { members } else { nil }
    }
}

extension Duration {
    /// Reads `250ms`, `90s`, `2m`, `1h` or a sum of those as in `1m30s`; `nil` for anything else.
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
