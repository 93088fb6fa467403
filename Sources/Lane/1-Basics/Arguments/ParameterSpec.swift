import Text

/// The description of a command's parameter for the parser, help and completions.
package struct ParameterSpec: Sendable {
    /// The form of a parameter on the command line.
    package enum Kind: Sendable, Equatable {
        /// A positional parameter. It accepts all remaining words if `repeats` is `true`.
        case positional(repeats: Bool)
        /// `--name <value>`. It accepts several values if `repeats` is `true`.
        case option(value: String, repeats: Bool)
        /// `--name`, and `--no-name` if `hasInverse` is `true`.
        case flag(hasInverse: Bool)
    }

    /// The source of completions for the value.
    package enum Completion: Sendable, Equatable {
        case none
        case file
        case directory
        case values([String])
        /// The candidates that the command computes for a topic at run time.
        case dynamic(String)
    }

    /// The long name without dashes, or the name of a positional parameter.
    package let name: String
    package let short: Character?
    package let kind: Kind
    /// The help text, a sentence with a full stop.
    package let help: String
    /// The default value as shown in help; `nil` if there is none.
    let defaultText: String?
    /// The allowed words; empty if any word is allowed.
    let allowedValues: [String]
    var isRequired: Bool
    let completion: Completion
    /// The heading of the section of the help text that lists the option; `nil` for the general options.
    private(set) var section: String?
    /// Returns `nil` for a valid value; otherwise, a description of valid ones, such as `a whole number`.
    let expectation: @Sendable (String) -> String?

    package init(
        name: String, short: Character? = nil, kind: Kind, help: String, defaultText: String? = nil,
        allowedValues: [String] = [], isRequired: Bool = false, completion: Completion = .none,
        expectation: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.help = help
        self.defaultText = defaultText
        self.allowedValues = allowedValues
        self.isRequired = isRequired
        self.completion = allowedValues.isEmpty ? completion : .values(allowedValues)
        let isPath = completion == .file || completion == .directory
        self.expectation = { word in
            if isPath, let hint = word.expansionHint { return "a path; \(hint)" }
            return expectation(word)
        }
    }

    /// Returns the parameter with a section of the help text.
    package func inSection(_ section: String) -> ParameterSpec {
        var spec = self
        spec.section = section
        return spec
    }

    var isPositional: Bool {
        if case .positional = kind { true } else { false }
    }

    /// A Boolean value that indicates whether the parameter is an option without a value.
    package var isFlag: Bool {
        if case .flag = kind { true } else { false }
    }

    var repeats: Bool {
        switch kind {
        case .positional(let repeats), .option(_, let repeats): repeats
        case .flag: false
        }
    }

    /// The parameter in a usage line.
    var usage: String {
        let bare: String
        switch kind {
        case .positional(let repeats): bare = "<\(name)>" + (repeats ? " ..." : "")
        case .option(let value, _): bare = "--\(name) <\(value)>"
        case .flag(let hasInverse): bare = hasInverse ? "--\(name)|--no-\(name)" : "--\(name)"
        }
        return isRequired ? bare : "[\(bare)]"
    }

    /// The parameter in the first column of the help text.
    var label: String {
        let shortLabel = short.map { "-\($0), " } ?? ""
        switch kind {
        case .positional: return "<\(name)>"
        case .option(let value, _): return "\(shortLabel)--\(name) <\(value)>"
        case .flag(let hasInverse): return "\(shortLabel)--\(name)" + (hasInverse ? "/--no-\(name)" : "")
        }
    }
}
