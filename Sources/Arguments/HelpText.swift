extension CommandSpec {
    /// The whole help in swift-argument-parser's layout: overview, usage, arguments, options, subcommands.
    ///
    /// - Parameters:
    ///   - path: the commands before this one.
    ///   - width: columns to wrap at.
    package func help(after path: [String] = [], width: Int = 80) -> String {
        var sections = ["OVERVIEW: \(abstract)"]
        let layout = HelpLayout(width: width)
        if !discussion.isEmpty { sections.append(layout.prose(discussion)) }
        sections.append("USAGE: \(usage(after: path))")
        let shownPlaces = positionals.filter { !$0.isHidden }
        if !shownPlaces.isEmpty {
            sections.append("ARGUMENTS:\n" + shownPlaces.map { layout.row($0.label, $0.explanation) }.joined())
        }
        let rows = options.filter { !$0.isHidden }.map { layout.row($0.label, $0.explanation) }
        sections.append("OPTIONS:\n" + rows.joined() + layout.row("-h, --help", "Show help information."))
        let shownCommands = subcommands.filter { !$0.isHidden }
        if !shownCommands.isEmpty {
            sections.append("SUBCOMMANDS:\n" + shownCommands.map { layout.row($0.name, $0.abstract) }.joined())
        }
        return sections.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined(separator: "\n")
    }
}

extension ParameterSpec {
    /// The help sentence with the facts behind it: `(values: a, b; default: a)`.
    var explanation: String {
        var facts: [String] = []
        if !allowedValues.isEmpty { facts.append("values: " + allowedValues.joined(separator: ", ")) }
        if let defaultText { facts.append("default: \(defaultText)") }
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: "; ")))"
    }
}

/// Two columns: labels from column 2, explanations from column 26, wrapped at the width.
struct HelpLayout {
    static let column = 26
    let width: Int

    func row(_ label: String, _ explanation: String) -> String {
        let lines = wrap(explanation)
        let margin = String(repeating: " ", count: Self.column)
        let head = "  " + label
        guard let first = lines.first else { return head + "\n" }
        let padding = Self.column - head.count
        let start = padding > 0 ? head + String(repeating: " ", count: padding) + first : head + "\n" + margin + first
        return ([start] + lines.dropFirst().map { margin + $0 }).map { $0 + "\n" }.joined()
    }

    /// Lines of text, wrapped; one that begins with a blank is an example or part of a table, and stays as it is.
    func prose(_ text: String) -> String {
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
