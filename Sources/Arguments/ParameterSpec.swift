/// One thing a command takes, as data: the parser, the help and the completions all read this and nothing else.
package struct ParameterSpec: Sendable {
    /// How it is written on a command line.
    package enum Kind: Sendable, Equatable {
        /// A word by its place; `repeats` takes all that are left.
        case positional(repeats: Bool)
        /// `--name <value>`; `repeats` collects several.
        case option(value: String, repeats: Bool)
        /// `--name`, and `--no-name` where there is something to switch off.
        case flag(hasInverse: Bool)
    }

    /// What a shell offers for the value.
    package enum Completion: Sendable, Equatable {
        case none
        case file
        case directory
        case values([String])
        /// The lines that `lane --complete <topic>` prints.
        case dynamic(String)
    }

    /// The long name without dashes, or a positional's name.
    package let name: String
    let short: Character?
    /// Decides how the parser takes it and how usage lines show it.
    package let kind: Kind
    /// A sentence: capital first, full stop last.
    package let help: String
    /// As shown in help; `nil` when there is none.
    let defaultText: String?
    /// The only words it takes; empty when it takes any.
    let allowedValues: [String]
    let isRequired: Bool
    /// Left out of help and completions.
    let isHidden: Bool
    let completion: Completion
    /// Says what a value should be when it is not that: `a whole number`.
    let expectation: @Sendable (String) -> String?

    package init(
        name: String, short: Character? = nil, kind: Kind, help: String, defaultText: String? = nil,
        allowedValues: [String] = [], isRequired: Bool = false, isHidden: Bool = false, completion: Completion = .none,
        expectation: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.help = help
        self.defaultText = defaultText
        self.allowedValues = allowedValues
        self.isRequired = isRequired
        self.isHidden = isHidden
        self.completion = allowedValues.isEmpty ? completion : .values(allowedValues)
        self.expectation = expectation
    }

    var isPositional: Bool {
        if case .positional = kind { true } else { false }
    }

    var repeats: Bool {
        switch kind {
        case .positional(let repeats), .option(_, let repeats): repeats
        case .flag: false
        }
    }

    /// How it stands in a usage line.
    var usage: String {
        let bare: String
        switch kind {
        case .positional(let repeats): bare = "<\(name)>" + (repeats ? " ..." : "")
        case .option(let value, _): bare = "--\(name) <\(value)>"
        case .flag(let hasInverse): bare = hasInverse ? "--\(name)|--no-\(name)" : "--\(name)"
        }
        return isRequired ? bare : "[\(bare)]"
    }

    /// How it stands in the first column of help.
    var label: String {
        let shortLabel = short.map { "-\($0), " } ?? ""
        switch kind {
        case .positional: return "<\(name)>"
        case .option(let value, _): return "\(shortLabel)--\(name) <\(value)>"
        case .flag(let hasInverse): return "\(shortLabel)--\(name)" + (hasInverse ? "/--no-\(name)" : "")
        }
    }
}
