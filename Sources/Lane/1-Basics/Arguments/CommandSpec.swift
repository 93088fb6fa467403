/// The description of a command and its parameters.
package struct CommandSpec: Sendable {
    /// The name on the command line. For the root command, the name of the program.
    package let name: String
    /// A one-sentence summary.
    package let abstract: String
    /// Further paragraphs of the help text, after the summary.
    let discussion: String
    /// The parameters in the order of the help text, which is also the order of the positional parameters.
    package private(set) var parameters: [ParameterSpec]
    /// The subcommands. If there are any, the first word that isn't an option must be the name of one.
    package let subcommands: [CommandSpec]
    /// The placeholder for the name of a subcommand in usage lines.
    let subcommandName: String
    /// Example command lines for the end of the help text, each with an explanation.
    package var examples: [(command: String, meaning: String)] = []
    /// Options of other tools, each with the name of the option to suggest for it, without dashes.
    package var suggestions: [String: String] = [:]
    /// A Boolean value that indicates whether the command passes options after `--` on to other programs.
    package var passesOptions = false

    package init(
        _ name: String, abstract: String, discussion: String = "", parameters: [ParameterSpec] = [],
        subcommands: [CommandSpec] = [], subcommandName: String = "subcommand"
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.parameters = parameters
        self.subcommands = subcommands
        self.subcommandName = subcommandName
    }

    /// Returns the command with all parameters optional.
    package func withoutRequirements() -> CommandSpec {
        var spec = self
        for index in parameters.indices { spec.parameters[index].isRequired = false }
        return spec
    }

    /// Returns the command without the options in sections of the help text.
    package func withoutSections(_ sections: Set<String>) -> CommandSpec {
        var spec = self
        spec.parameters.removeAll { $0.section.map(sections.contains) ?? false }
        return spec
    }

    func subcommand(_ name: String) -> CommandSpec? {
        subcommands.first { $0.name == name }
    }

    var positionals: [ParameterSpec] { parameters.filter(\.isPositional) }
    var options: [ParameterSpec] { parameters.filter { !$0.isPositional } }

    /// Returns the usage line, such as `lane release [<version>] [--publish]`. Replaces the options with `[<options>]`
    /// if there are more than six or if the line would be longer than 80 characters.
    func usage(after path: [String]) -> String {
        let words = (path + [name]).joined(separator: " ")
        let shownOptions = options.map(\.usage)
        let arguments = positionals.map(\.usage)
        let tail = subcommands.isEmpty ? [] : ["<\(subcommandName)>"]
        let line = ([words] + shownOptions + arguments + tail).joined(separator: " ")
        guard line.count > 80 || shownOptions.count > 6 else { return line }
        return ([words, "[<options>]"] + arguments + tail).joined(separator: " ")
    }
}

/// All errors in a command line, with the usage line.
package struct UsageError: Error, Sendable, Equatable {
    /// The messages of the errors, without the prefix `Error:`. Each starts with a capital letter and has no full stop.
    package let problems: [String]
    let usage: String
    /// The command that prints help, such as `lane test --help`.
    let helpCommand: String

    package init(problems: [String], usage: String, helpCommand: String) {
        self.problems = problems
        self.usage = usage
        self.helpCommand = helpCommand
    }

    /// The message for standard error.
    package var text: String {
        problems.map { "Error: \($0)\n" }.joined() + "Usage: \(usage)\n  See '\(helpCommand)' for more information.\n"
    }
}
