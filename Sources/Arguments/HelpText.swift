extension CommandSpec {
    /// Returns the help text in the layout of swift-argument-parser: overview, usage, arguments, options, subcommands.
    ///
    /// - Parameters:
    ///   - path: The names of the parent commands.
    ///   - width: The width of the text in columns.
    package func help(after path: [String] = [], width: Int = 80) -> String {
        var sections = ["OVERVIEW: \(abstract)"]
        let layout = HelpLayout(width: width)
        if !discussion.isEmpty { sections.append(layout.prose(discussion)) }
        sections.append("USAGE: \(usage(after: path))")
        let shownPositionals = positionals.filter { !$0.isHidden }
        if !shownPositionals.isEmpty {
            sections.append("ARGUMENTS:\n" + shownPositionals.map { layout.row($0.label, $0.explanation) }.joined())
        }
        let shownOptions = options.filter { !$0.isHidden }
        let general = shownOptions.filter { $0.section == nil }.map { layout.row($0.label, $0.explanation) }
        sections.append("OPTIONS:\n" + general.joined() + layout.row("-h, --help", "Show help information."))
        for title in headings(of: shownOptions) {
            let rows = shownOptions.filter { $0.section == title }.map { layout.row($0.label, $0.explanation) }
            sections.append("\(title.uppercased()):\n" + rows.joined())
        }
        let shownCommands = subcommands.filter { !$0.isHidden }
        if !shownCommands.isEmpty {
            sections.append("SUBCOMMANDS:\n" + shownCommands.map { layout.row($0.name, $0.abstract) }.joined())
        }
        if !examples.isEmpty {
            sections.append("EXAMPLES:\n" + examples.map { layout.row($0.command, $0.meaning) }.joined())
        }
        return sections.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined(separator: "\n")
    }

    /// Returns the sections of options in the order in which they first occur.
    private func headings(of options: [ParameterSpec]) -> [String] {
        options.compactMap(\.section).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension ParameterSpec {
    /// The help sentence, followed by values and default such as `(values: a, b; default: a)`.
    package var explanation: String {
        var facts: [String] = []
        if !allowedValues.isEmpty { facts.append("values: " + allowedValues.joined(separator: ", ")) }
        if let defaultText { facts.append("default: \(defaultText)") }
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: "; ")))"
    }
}

/// A layout of two columns: labels are indented by 2, explanations by 26 and wrapped at the width.
package struct HelpLayout {
    private static let column = 26
    private let width: Int

    /// - Parameter width: The width of the text in columns.
    package init(width: Int) {
        self.width = width
    }

    /// Returns the lines of a label and its explanation, which starts on the next line if the label is too long.
    package func row(_ label: String, _ explanation: String) -> String {
        let lines = wrap(explanation)
        let margin = String(repeating: " ", count: Self.column)
        let head = "  " + label
        guard let first = lines.first else { return head + "\n" }
        let padding = Self.column - head.count
        let start = padding > 0 ? head + String(repeating: " ", count: padding) + first : head + "\n" + margin + first
        return ([start] + lines.dropFirst().map { margin + $0 }).map { $0 + "\n" }.joined()
    }

    /// Returns the text with its lines wrapped, except those that start with a space, such as examples and tables.
    package func prose(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix(" ") ? String(line) : wrap(String(line), at: width).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func wrap(_ text: String) -> [String] { wrap(text, at: width - Self.column) }

    private func wrap(_ text: String, at width: Int) -> [String] {
        let room = max(20, width)
        var lines: [String] = []
        var current = ""
        for word in text.split(separator: " ") {
            if !current.isEmpty, current.count + 1 + word.count > room {
                lines.append(current)
                current = ""
            }
            current += current.isEmpty ? String(word) : " " + word
        }
        if !current.isEmpty { lines.append(current) }
        return lines
    }
}
