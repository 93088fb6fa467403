import Text

extension CommandSpec {
    /// Parses and validates the words of a command line.
    ///
    /// If the command has subcommands, parsing stops at the first word that is not an option: the name of the
    /// subcommand. `rest` contains this word and all words after it.
    ///
    /// - Parameters:
    ///   - words: The words after the name of the command.
    ///   - path: The names of the parent commands, for messages.
    ///   - checking: Returns a message for each invalid combination of arguments.
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

    /// Returns the words of a valid command line without the options and values of some parameters.
    package func words(_ words: [String], without names: Set<String>) -> [String] {
        guard !words.isEmpty else { return [] }
        var parser = CommandLineParser(spec: self, words: words)
        return parser.words(without: names)
    }

    /// Returns a Boolean value that indicates whether `-h` or `--help` is among the options of this command.
    package func requestsHelp(_ words: [String]) -> Bool {
        for word in words {
            if word == "--" { return false }
            if word == "--help" || word == "-h" { return true }
            if !subcommands.isEmpty, !word.hasPrefix("-") { return false }
        }
        return false
    }
}

/// A parser of command lines that follows the conventions of swift-argument-parser.
struct CommandLineParser {
    let spec: CommandSpec
    let words: [String]
    private(set) var index = 0
    private(set) var parsed = ParsedArguments()
    private(set) var problems: [String] = []
    private var positionalIndex = 0
    /// The names of the positional parameters that were passed as `--name`.
    private var named: Set<String> = []
    private var optionsEnded = false
    /// The names of the parameters that the last words set.
    private var lastSet: Set<String> = []
    /// The names of the parameters with an invalid value.
    private var invalid: Set<String> = []
    /// A Boolean value that indicates whether the last word was an unknown option, which may take the next one.
    private var isAfterUnknown = false

    init(spec: CommandSpec, words: [String]) {
        self.spec = spec
        self.words = words
    }

    mutating func run() {
        while index < words.count, parseNext() {}
        for parameter in spec.parameters
        where parameter.isRequired && parsed.words(parameter.name).isEmpty && !invalid.contains(parameter.name) {
            // The usage of an option names its values.
            let values = parameter.isPositional && !parameter.allowedValues.isEmpty
            problems.append(
                "Missing expected argument '\(parameter.usage)'\(values ? ": \(list(parameter.allowedValues))" : "")")
        }
    }

    /// Returns the words without those that set only these parameters.
    mutating func words(without names: Set<String>) -> [String] {
        var kept: [String] = []
        while index < words.count {
            let start = index
            lastSet = []
            guard parseNext() else { break }
            if lastSet.isEmpty || !lastSet.isSubset(of: names) { kept += words[start..<index] }
        }
        return kept + words[index...]
    }

    /// Parses the next word, and the word after it if this is the value of an option.
    ///
    /// - Returns: `false` if the word is the name of a subcommand, which is not consumed.
    private mutating func parseNext() -> Bool {
        let word = words[index]
        let isPositional = optionsEnded || !word.hasPrefix("-") || word == "-"
        if isPositional, !spec.subcommands.isEmpty { return false }
        index += 1
        let mayBeValue = isAfterUnknown
        isAfterUnknown = false
        if isPositional {
            parsePositional(word, mayBeValue: mayBeValue)
        } else if word == "--" {
            optionsEnded = true
        } else if word.hasPrefix("--") {
            parseLongOption(word.dropFirst(2))
        } else {
            parseShortOptions(word.dropFirst())
        }
        return true
    }

    /// - Parameter mayBeValue: A Boolean value that indicates whether the word may be the value of an unknown option.
    private mutating func parsePositional(_ word: String, mayBeValue: Bool) {
        let positionals = spec.positionals.filter { !named.contains($0.name) }
        guard positionalIndex < positionals.count else {
            if mayBeValue { return }
            if let option = optionWithDash(word) {
                isAfterUnknown = true
                problems.append("Unexpected argument '\(word)'. Did you mean '\(option)'?")
                return
            }
            let hint = option(for: word).map { ". Did you mean \(inQuotes($0))?" } ?? ""
            problems.append("Unexpected argument '\(word)'\(hint)")
            return
        }
        add(word, to: positionals[positionalIndex])
        if !positionals[positionalIndex].repeats { positionalIndex += 1 }
    }

    /// Returns the words that were probably meant by a word too many: those for the option that the word names, or for
    /// the only option of the command's own that takes a value.
    private func option(for word: String) -> String? {
        let own = spec.options.filter { $0.section == nil }
        let before = index > 1 ? words[index - 2] : ""
        if word == "true" || word == "false", let flag = own.first(where: { "--\($0.name)" == before && $0.isFlag }) {
            return Self.word(setting: flag, to: word == "true")
        }
        // Other tools write 'target=staging' or 'target:staging'.
        if let mark = word.firstIndex(where: { $0 == "=" || $0 == ":" }),
            let named = own.first(where: { $0.name == word[..<mark].lowercased() })
        {
            return named.isFlag ? "--\(named.name)" : Self.words(named.name, String(word[word.index(after: mark)...]))
        }
        let open = own.filter { !$0.isFlag && parsed.words($0.name).isEmpty }
        guard let only = open.first, open.count == 1,
            Self.accepts(word, only)
        else { return nil }
        return Self.words(only.name, word)
    }

    /// Returns the option that a word names with a dash in place of its hyphens, as text editors write it.
    private func optionWithDash(_ word: String) -> String? {
        let name = word.drop { "–—".contains($0) }
        return name.count < word.count && spec.options.contains { $0.name == name } ? "--\(name)" : nil
    }

    private static func accepts(_ word: String, _ parameter: ParameterSpec) -> Bool {
        parameter.allowedValues.isEmpty ? parameter.expectation(word) == nil : parameter.allowedValues.contains(word)
    }

    private static func word(setting flag: ParameterSpec, to value: Bool) -> String? {
        if value { return "--\(flag.name)" }
        return flag.kind == .flag(hasInverse: true) ? "--no-\(flag.name)" : nil
    }

    private static func words(_ option: String, separator: String = " ", _ value: String) -> String {
        var words = Array("--\(option)\(separator)".utf8)
        words.appendShellQuoted(value)
        return String(decoding: words, as: UTF8.self)
    }

    private mutating func parseLongOption(_ text: Substring) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if let parameter = spec.options.first(where: { $0.name == name }) {
            parse(parameter, as: "--\(name)", attached: attached)
        } else if let positional = spec.positionals.first(where: { $0.name == name }) {
            parseNamedPositional(positional, attached: attached)
        } else if name.hasPrefix("no-"), let parameter = inverse(of: String(name.dropFirst(3))) {
            set(parameter, to: false, as: "--\(name)", attached: attached)
        } else {
            isAfterUnknown = attached == nil
            problems.append(unknown("--\(name)"))
        }
    }

    /// Parses the value of a positional parameter that is passed as `--name`. Positional words then set the other
    /// parameters.
    private mutating func parseNamedPositional(_ parameter: ParameterSpec, attached: String?) {
        if !parameter.repeats, !parsed.words(parameter.name).isEmpty {
            problems.append("'<\(parameter.name)>' is given twice")
        }
        if !parameter.repeats { named.insert(parameter.name) }
        parseValue(of: parameter, as: "--\(parameter.name) <\(parameter.name)>", attached: attached)
    }

    private func inverse(of name: String) -> ParameterSpec? {
        spec.options.first { $0.name == name && $0.kind == .flag(hasInverse: true) }
    }

    /// Parses short options: `-v`, `-j4`, `-j 4`, or several flags in one word, such as `-qk`.
    private mutating func parseShortOptions(_ text: Substring) {
        var rest = text
        while let letter = rest.first {
            rest = rest.dropFirst()
            guard let parameter = spec.options.first(where: { $0.short == letter }) else {
                isAfterUnknown = true
                problems.append(unknown("-\(letter)\(rest)"))
                return
            }
            if case .flag = parameter.kind {
                set(parameter, to: true, as: "-\(letter)", attached: nil)
            } else {
                let attached = rest.hasPrefix("=") ? rest.dropFirst() : rest
                parse(parameter, as: "-\(letter)", attached: rest.isEmpty ? nil : String(attached))
                return
            }
        }
    }

    private mutating func parse(_ parameter: ParameterSpec, as shown: String, attached: String?) {
        switch parameter.kind {
        case .flag: set(parameter, to: true, as: shown, attached: attached)
        case .option(let value, _): parseValue(of: parameter, as: "\(shown) <\(value)>", attached: attached)
        case .positional: break
        }
    }

    private mutating func parseValue(of parameter: ParameterSpec, as shown: String, attached: String?) {
        if let attached {
            add(attached, to: parameter)
        } else if index < words.count, !looksLikeOption(words[index]) {
            add(words[index], to: parameter)
            index += 1
        } else {
            // Without '=', a value that starts with a dash is an option.
            let value = index < words.count && !isOption(words[index]) ? words[index] : nil
            let guess = value.flatMap { Self.accepts($0, parameter) ? $0 : nil }
            let hint = guess.map { ". Did you mean \(inQuotes(Self.words(parameter.name, separator: "=", $0)))?" } ?? ""
            problems.append("Missing value for '\(shown)'\(hint)")
        }
    }

    /// Returns a Boolean value that indicates whether a word that starts with a dash is an option of the command.
    private func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("--") else { return spec.options.contains { $0.short == word.dropFirst().first } }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        if name.hasPrefix("no-"), inverse(of: String(name.dropFirst(3))) != nil { return true }
        return name.isEmpty || spec.parameters.contains { $0.name == name }
    }

    /// Returns a Boolean value that indicates whether a word starts with a dash and is neither `-` nor a negative
    /// number.
    private func looksLikeOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-" && Double(word) == nil
    }

    private mutating func set(_ parameter: ParameterSpec, to value: Bool, as shown: String, attached: String?) {
        if let attached {
            let meant = ["true": value, "false": !value][attached].flatMap { Self.word(setting: parameter, to: $0) }
            let hint = meant.map { ". Did you mean '\($0)'?" } ?? ""
            problems.append("The flag '\(shown)' takes no value, found '\(attached)'\(hint)")
            return
        }
        lastSet.insert(parameter.name)
        parsed.set(parameter.name, to: value)
    }

    private mutating func add(_ word: String, to parameter: ParameterSpec) {
        lastSet.insert(parameter.name)
        let shown = parameter.isPositional ? "<\(parameter.name)>" : "--\(parameter.name)"
        let before = problems.count
        defer { if problems.count > before { invalid.insert(parameter.name) } }
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
        let known = spec.options.flatMap { option in
            option.kind == .flag(hasInverse: true) ? [option.name, "no-\(option.name)"] : [option.name]
        }
        let word = String(shown.drop { $0 == "-" })
        // An option such as `-n4` is a letter with a value.
        let letter = shown.hasPrefix("--") ? nil : word.first.map(String.init)
        let suggestion = (spec.suggestions[word] ?? letter.flatMap { spec.suggestions[$0] })
            .flatMap { name in spec.parameters.contains { $0.name == name } ? "--\(name)" : nil }
        let named = word.firstIndex(of: ":").flatMap { mark in
            known.contains(String(word[..<mark]))
                ? Self.words(String(word[..<mark]), String(word[word.index(after: mark)...])) : nil
        }
        // The hyphens would count as letters that are the same.
        let guess = named ?? suggestion ?? nearest(to: word, among: known + ["help"]).map { "--\($0)" }
        let passed = spec.passesOptions ? "'-- \(shown)' to pass it on" : nil
        let guesses = [guess.map(inQuotes), passed].compactMap(\.self)
        return "Unknown option '\(shown)'" + (guesses.isEmpty ? "" : ". Did you mean \(list(guesses))?")
    }
}
