extension HelpPage {
    /// Creates the help page of a command: summary, usage, arguments, options by section, subcommands and examples.
    ///
    /// - Parameter path: The names of the parent commands.
    package init(_ command: CommandSpec, after path: [String] = []) {
        let title = (path + [command.name]).joined(separator: " ")
        let summary = command.abstract.hasSuffix(".") ? String(command.abstract.dropLast()) : command.abstract
        var blocks = Self.prose(command.discussion) + [.usage(command.usage(after: path))]
        func add(_ heading: String, _ rows: [Row]) {
            if !rows.isEmpty { blocks += [.heading(heading), .rows(rows)] }
        }
        add("Arguments", command.positionals.map(Row.init))
        let options = command.options
        let help = Row("-h, --help", "Show help information.")
        add("Options", options.filter { $0.section == nil }.map(Row.init) + [help])
        for section in Self.sections(of: options) {
            add(section, options.filter { $0.section == section }.map(Row.init))
        }
        add("Subcommands", command.subcommands.map { Row($0.name, $0.abstract) })
        add("Examples", command.examples.map { Row($0.command, $0.meaning) })
        self.init(title, summary, blocks)
    }

    /// Returns the blocks of a discussion. Lines that start with a space are code.
    private static func prose(_ text: String) -> [Block] {
        var blocks: [Block] = []
        for line in text.split(separator: "\n") {
            if !line.hasPrefix(" ") {
                blocks.append(.paragraph(String(line)))
            } else if case .code(let code)? = blocks.last {
                blocks[blocks.count - 1] = .code("\(code)\n\(line.dropFirst(2))")
            } else {
                blocks.append(.code(String(line.dropFirst(2))))
            }
        }
        return blocks
    }

    /// Returns the sections of options in the order in which they first occur.
    private static func sections(of options: [ParameterSpec]) -> [String] {
        options.compactMap(\.section).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension HelpPage.Row {
    fileprivate init(_ parameter: ParameterSpec) {
        self.init(parameter.label, parameter.explanation)
    }
}
