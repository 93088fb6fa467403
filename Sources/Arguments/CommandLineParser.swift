import Diagnostics

extension CommandSpec {
    /// Parses and validates the words of a command line.
    ///
    /// If the command has subcommands, parsing stops at the first word that is not an option, the name of the
    /// subcommand; `rest` contains that word and all after it.
    ///
    /// - Parameters:
    ///   - words: The words after the name of the command.
    ///   - path: The names of the parent commands, for messages.
    ///   - checking: Returns the problems of a combination of arguments that are valid on their own.
    /// - Throws: A `UsageError` with all problems of the command line.
    package func parse(
        _ words: [String], after path: [String] = [], checking: (ParsedArguments) -> [String] = { _ in [] }
    ) throws(UsageError) -> (arguments: ParsedArguments, rest: [String]) {
        var parser = CommandLineParser(spec: self, words: words)
        parser.run()
        let problems = parser.problems + checking(parser.parsed)
        guard problems.isEmpty else {
            throw UsageError(
                problems: problems, usage: usage(after: path),
                helpCommand: (path + [name, "--help"]).joined(separator: " "))
        }
        return (parser.parsed, Array(words[parser.index...]))
    }

    /// Returns the words of a valid command line without those that give some parameters their values.
    package func words(_ words: [String], without names: Set<String>) -> [String] {
        guard !words.isEmpty else { return [] }
        var parser = CommandLineParser(spec: self, words: words)
        return parser.words(without: names)
    }

    /// Returns a Boolean value that indicates whether `-h` or `--help` is among the options of this command.
    package func asksForHelp(_ words: [String]) -> Bool {
        for word in words {
            if word == "--" { return false }
            if word == "--help" || word == "-h" { return true }
            if !subcommands.isEmpty, !word.hasPrefix("-") { return false }
        }
        return false
    }
}

/// A parser of the words of a command line, with the conventions of swift-argument-parser.
struct CommandLineParser {
    let spec: CommandSpec
    let words: [String]
    private(set) var index = 0
    private(set) var parsed = ParsedArguments()
    private(set) var problems: [String] = []
    private var positionalIndex = 0
    /// The names of the positional parameters that were given as `--name`.
    private var named: Set<String> = []
    private var optionsEnded = false
    /// The names of the parameters that the last words gave values to.
    private var taken: Set<String> = []

    init(spec: CommandSpec, words: [String]) {
        self.spec = spec
        self.words = words
    }

    mutating func run() {
        while index < words.count, takeNext() {}
        for parameter in spec.parameters where parameter.isRequired && parsed.words(parameter.name).isEmpty {
            problems.append("Missing expected argument '\(parameter.usage)'")
        }
    }

    /// Returns the words without those that give values to these parameters alone.
    mutating func words(without names: Set<String>) -> [String] {
        var kept: [String] = []
        while index < words.count {
            let start = index
            taken = []
            guard takeNext() else { break }
            if taken.isEmpty || !taken.isSubset(of: names) { kept += words[start..<index] }
        }
        return kept + words[index...]
    }

    /// Takes the next word, with the one that follows if that is its value.
    ///
    /// - Returns: `false` if the word is the name of a subcommand, which stays.
    private mutating func takeNext() -> Bool {
        let word = words[index]
        let isPositional = optionsEnded || !word.hasPrefix("-") || word == "-"
        if isPositional, !spec.subcommands.isEmpty { return false }
        index += 1
        if isPositional {
            takePositional(word)
        } else if word == "--" {
            optionsEnded = true
        } else if word.hasPrefix("--") {
            takeLong(word.dropFirst(2))
        } else {
            takeShort(word.dropFirst())
        }
        return true
    }

    private mutating func takePositional(_ word: String) {
        let positionals = spec.positionals.filter { !named.contains($0.name) }
        guard positionalIndex < positionals.count else {
            problems.append("Unexpected argument '\(word)'")
            return
        }
        add(word, to: positionals[positionalIndex])
        if !positionals[positionalIndex].repeats { positionalIndex += 1 }
    }

    private mutating func takeLong(_ text: Substring) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if let parameter = spec.options.first(where: { $0.name == name }) {
            take(parameter, as: "--\(name)", attached: attached)
        } else if let positional = spec.positionals.first(where: { $0.name == name && !$0.repeats }) {
            takeByName(positional, attached: attached)
        } else if name.hasPrefix("no-"), let parameter = inverse(of: String(name.dropFirst(3))), attached == nil {
            set(parameter, to: false)
        } else {
            problems.append(unknown("--\(name)"))
        }
    }

    /// Takes the value of a positional parameter that is given as `--name`; positional words then go to the others.
    private mutating func takeByName(_ parameter: ParameterSpec, attached: String?) {
        if !parsed.words(parameter.name).isEmpty { problems.append("'<\(parameter.name)>' is given twice") }
        named.insert(parameter.name)
        takeValue(of: parameter, as: "--\(parameter.name) <\(parameter.name)>", attached: attached)
    }

    private func inverse(of name: String) -> ParameterSpec? {
        spec.options.first { $0.name == name && $0.kind == .flag(hasInverse: true) }
    }

    /// Takes short options: `-v`, `-j4`, `-j 4`, or several flags in one word as in `-qk`.
    private mutating func takeShort(_ text: Substring) {
        var rest = text
        while let letter = rest.first {
            rest = rest.dropFirst()
            guard let parameter = spec.options.first(where: { $0.short == letter }) else {
                problems.append(unknown("-\(letter)"))
                return
            }
            if case .flag = parameter.kind {
                set(parameter, to: true)
            } else {
                let attached = rest.hasPrefix("=") ? rest.dropFirst() : rest
                take(parameter, as: "-\(letter)", attached: rest.isEmpty ? nil : String(attached))
                return
            }
        }
    }

    private mutating func take(_ parameter: ParameterSpec, as shown: String, attached: String?) {
        switch parameter.kind {
        case .flag:
            if let attached {
                problems.append("The flag '\(shown)' takes no value, found '\(attached)'")
            } else {
                set(parameter, to: true)
            }
        case .option(let value, _): takeValue(of: parameter, as: "\(shown) <\(value)>", attached: attached)
        case .positional: break
        }
    }

    private mutating func takeValue(of parameter: ParameterSpec, as shown: String, attached: String?) {
        if let attached {
            add(attached, to: parameter)
        } else if index < words.count, !looksLikeOption(words[index]) {
            add(words[index], to: parameter)
            index += 1
        } else {
            problems.append("Missing value for '\(shown)'")
        }
    }

    /// Returns a Boolean value that indicates whether a word starts with a dash and is neither `-` nor a negative
    /// number.
    private func looksLikeOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-" && Double(word) == nil
    }

    private mutating func set(_ parameter: ParameterSpec, to value: Bool) {
        taken.insert(parameter.name)
        parsed.set(parameter.name, to: value)
    }

    private mutating func add(_ word: String, to parameter: ParameterSpec) {
        taken.insert(parameter.name)
        let shown = parameter.isPositional ? "<\(parameter.name)>" : "--\(parameter.name)"
        if !parameter.allowedValues.isEmpty, !parameter.allowedValues.contains(word) {
            let guess = nearest(to: word, among: parameter.allowedValues).map { ". Did you mean '\($0)'?" } ?? ""
            problems.append(
                "The value '\(word)' is invalid for '\(shown)': expected \(list(parameter.allowedValues))\(guess)")
        } else if let expectation = parameter.expectation(word) {
            problems.append("The value '\(word)' is invalid for '\(shown)': expected \(expectation)")
        } else {
            parsed.add(word, to: parameter.name)
        }
    }

    private func unknown(_ shown: String) -> String {
        let known = spec.options.filter { !$0.isHidden }.flatMap { option in
            option.kind == .flag(hasInverse: true) ? ["--\(option.name)", "--no-\(option.name)"] : ["--\(option.name)"]
        }
        let guess = nearest(to: shown, among: known + ["--help"]).map { ". Did you mean '\($0)'?" } ?? ""
        return "Unknown option '\(shown)'\(guess)"
    }
}
