package import Arguments

extension HelpPage {
    /// The page of a command.
    ///
    /// - Parameter path: The names of the parent commands.
    package init(_ command: CommandSpec, after path: [String] = []) {
        let title = (path + [command.name]).joined(separator: " ")
        let summary = command.abstract.hasSuffix(".") ? String(command.abstract.dropLast()) : command.abstract
        var blocks = [Block.code(command.usage(after: path))] + Self.prose(command.discussion)
        let arguments = command.positionals.filter { !$0.isHidden }
        if !arguments.isEmpty { blocks += [.heading("Arguments"), .rows(arguments.map(Row.init))] }
        let options = command.options.filter { !$0.isHidden }
        for heading in options.map({ $0.section ?? Self.general }).uniqued {
            let rows = options.filter { ($0.section ?? Self.general) == heading }.map(Row.init)
            blocks += [.heading(heading), .rows(rows)]
        }
        if !command.examples.isEmpty {
            blocks += [.heading("Examples"), .rows(command.examples.map { Row($0.command, $0.meaning) })]
        }
        self.init(title, summary, blocks)
    }

    private static let general = "Options"

    /// Returns the blocks of a discussion, in which lines that start with a space are code.
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
}

extension HelpPage.Row {
    fileprivate init(_ parameter: ParameterSpec) {
        self.init(parameter.label, parameter.explanation)
    }
}

extension [String] {
    /// The elements in their order, each once.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
