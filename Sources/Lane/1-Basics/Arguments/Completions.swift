/// The completions of a word of a command line.
package struct Completions: Sendable, Equatable {
    /// A word that completes the command line, with its help text.
    package struct Candidate: Sendable, Equatable {
        /// The complete word, with dashes.
        package let word: String
        let help: String

        package init(_ word: String, help: String = "") {
            self.word = word
            self.help = help
        }
    }

    /// The kind of paths that the shell should offer in addition.
    package enum Paths: String, Sendable {
        case none, files, directories
    }

    /// The candidates that start with the unfinished word.
    package let candidates: [Candidate]
    /// The kind of paths that the shell should offer in addition.
    package let paths: Paths

    init(candidates: [Candidate], paths: Paths = .none) {
        self.candidates = candidates
        self.paths = paths
    }

    /// The output for the completion script: a line for each candidate with a tab between word and help text, and a
    /// last line with a colon and the kind of paths.
    package var text: String {
        candidates.map { $0.help.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.help)\n" }.joined() + ":\(paths)\n"
    }
}

extension CommandSpec {
    /// Returns the completions of the last of `words`; for `--option=value`, those of the value.
    ///
    /// - Parameters:
    ///   - words: The words after the command's name. The last word is unfinished and may be empty.
    ///   - dynamic: Returns the candidates for a topic whose values are known only at run time, such as lane names.
    package func completions(
        for words: [String], dynamic: (String) -> [Completions.Candidate]
    ) -> Completions {
        var remaining = positionals[...]
        var index = 0
        while index < words.count - 1 {
            let word = words[index]
            index += 1
            if word.hasPrefix("-") {
                if let option = option(named: word), takesNextWord(option, after: word) { index += 1 }
            } else if let subcommand = subcommand(word) {
                return subcommand.completions(for: Array(words[index...]), dynamic: dynamic)
            } else if remaining.first?.repeats == false {
                remaining = remaining.dropFirst()
            }
        }
        let unfinished = words.last ?? ""
        if let previous = words.dropLast().last, let option = option(named: previous),
            takesNextWord(option, after: previous)
        {
            return values(of: option, startingWith: unfinished, dynamic: dynamic)
        }
        if unfinished.hasPrefix("-") {
            let parts = unfinished.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count > 1 {
                guard let option = option(named: String(parts[0])), takesNextWord(option, after: option.name) else {
                    return Completions(candidates: [])
                }
                return values(of: option, startingWith: String(parts[1]), dynamic: dynamic)
            }
            return optionNames(startingWith: unfinished)
        }
        let names = subcommands.map { Completions.Candidate($0.name, help: $0.abstract) }
        let here = remaining.first.map { values(of: $0, startingWith: unfinished, dynamic: dynamic) }
        let fitting = names.filter { $0.word.hasPrefix(unfinished) }
        return Completions(candidates: fitting + (here?.candidates ?? []), paths: here?.paths ?? .none)
    }

    private func option(named word: String) -> ParameterSpec? {
        options.first { "--\($0.name)" == word || $0.short.map { "-\($0)" } == word }
    }

    private func takesNextWord(_ option: ParameterSpec, after word: String) -> Bool {
        if case .option = option.kind { !word.contains("=") } else { false }
    }

    private func optionNames(startingWith prefix: String) -> Completions {
        var candidates: [Completions.Candidate] = []
        for option in options {
            candidates.append(.init("--\(option.name)", help: option.help))
            if option.kind == .flag(hasInverse: true) {
                candidates.append(.init("--no-\(option.name)", help: option.help))
            }
        }
        candidates.append(.init("--help", help: "Show help information."))
        return Completions(candidates: candidates.filter { $0.word.hasPrefix(prefix) })
    }

    private func values(
        of parameter: ParameterSpec, startingWith prefix: String, dynamic: (String) -> [Completions.Candidate]
    ) -> Completions {
        switch parameter.completion {
        case .none: Completions(candidates: [])
        case .file: Completions(candidates: [], paths: .files)
        case .directory: Completions(candidates: [], paths: .directories)
        case .values(let words):
            Completions(candidates: words.filter { $0.hasPrefix(prefix) }.map { Completions.Candidate($0) })
        case .dynamic(let topic):
            Completions(candidates: dynamic(topic).filter { $0.word.hasPrefix(prefix) })
        }
    }
}
