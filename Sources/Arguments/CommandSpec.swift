/// A command and all that it takes, as data.
package struct CommandSpec: Sendable {
    /// As it is typed; the program's own name for the outermost command.
    package let name: String
    /// One sentence.
    package let abstract: String
    /// Further paragraphs for `--help`, below the overview.
    let discussion: String
    /// In the order in which help lists them; positionals are filled in this order, too.
    package let parameters: [ParameterSpec]
    /// Where there are any, the first word that is no option names one of them.
    package let subcommands: [CommandSpec]
    /// How a word that names a subcommand is shown in usage lines.
    let subcommandName: String
    /// Left out of help and completions.
    package let isHidden: Bool

    package init(
        _ name: String, abstract: String, discussion: String = "", parameters: [ParameterSpec] = [],
        subcommands: [CommandSpec] = [], subcommandName: String = "subcommand", isHidden: Bool = false
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.parameters = parameters
        self.subcommands = subcommands
        self.subcommandName = subcommandName
        self.isHidden = isHidden
    }

    func subcommand(_ name: String) -> CommandSpec? {
        subcommands.first { $0.name == name }
    }

    var positionals: [ParameterSpec] { parameters.filter(\.isPositional) }
    var options: [ParameterSpec] { parameters.filter { !$0.isPositional } }

    /// `lane release [<version>] [--publish]`; shortened to `[<options>]` when it would be long.
    func usage(after path: [String]) -> String {
        let words = (path + [name]).joined(separator: " ")
        let shownOptions = options.filter { !$0.isHidden }.map(\.usage)
        let places = positionals.filter { !$0.isHidden }.map(\.usage)
        let tail = subcommands.isEmpty ? [] : ["<\(subcommandName)>"]
        let whole = ([words] + shownOptions + places + tail).joined(separator: " ")
        guard whole.count > 80 || shownOptions.count > 6 else { return whole }
        return ([words, "[<options>]"] + places + tail).joined(separator: " ")
    }
}

/// What is wrong with a command line, all of it, with the usage that would be right.
package struct UsageError: Error, Sendable, Equatable {
    /// One sentence each without a full stop, capital first, as they follow `Error:`.
    package let problems: [String]
    let usage: String
    /// The command to ask for help, `lane help test`.
    let helpCommand: String

    package init(problems: [String], usage: String, helpCommand: String) {
        self.problems = problems
        self.usage = usage
        self.helpCommand = helpCommand
    }

    /// As it is printed on standard error.
    package var text: String {
        problems.map { "Error: \($0)\n" }.joined() + "Usage: \(usage)\n  See '\(helpCommand)' for more information.\n"
    }
}
