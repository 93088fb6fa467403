extension HelpPage {
    /// Returns the page in the layout of the help of commands.
    ///
    /// - Parameter width: The width of the text in columns.
    package func text(width: Int) -> String {
        let layout = HelpLayout(width: width)
        var text = layout.prose("OVERVIEW: \(summary).") + "\n"
        for (index, block) in blocks.enumerated() {
            if index == 0 || !isHeading(blocks[index - 1]) { text += "\n" }
            switch block {
            case .heading(let title): text += title.uppercased() + ":\n"
            case .usage(let usage): text += "USAGE: \(usage)\n"
            case .paragraph(let prose): text += layout.prose(prose) + "\n"
            case .yaml(let lines), .code(let lines): text += indented(lines)
            case .rows(let rows): text += rows.map { layout.row($0.name, $0.meaning) }.joined()
            }
        }
        return text
    }

    private func isHeading(_ block: Block) -> Bool {
        if case .heading = block { true } else { false }
    }

    private func indented(_ lines: String) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }
}
