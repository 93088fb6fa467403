import Text

/// A page of the built-in documentation for the terminal, for Markdown files, and for the manual page.
package struct HelpPage: Sendable, Equatable {
    /// A part of a page. Text in single quotes is code.
    package enum Block: Sendable, Equatable {
        case heading(String)
        case paragraph(String)
        /// The usage of a command.
        case usage(String)
        /// Lines of YAML.
        case yaml(String)
        /// Lines of other code, such as commands.
        case code(String)
        case rows([Row])
    }

    /// A name and its meaning.
    package struct Row: Sendable, Equatable {
        let name: String
        /// One or more sentences with full stops.
        let meaning: String

        package init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    let title: String
    /// One sentence without a full stop.
    package let summary: String
    let blocks: [Block]

    package init(_ title: String, _ summary: String, _ blocks: [Block]) {
        self.title = title
        self.summary = summary
        self.blocks = blocks
    }
}

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
        for section in options.compactMap(\.section).uniqued() {
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
}

extension HelpPage.Row {
    fileprivate init(_ parameter: ParameterSpec) {
        self.init(parameter.label, parameter.explanation)
    }
}

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

extension CommandSpec {
    /// Returns the help text in the layout of swift-argument-parser.
    ///
    /// - Parameters:
    ///   - path: The names of the parent commands.
    ///   - width: The width of the text in columns.
    package func help(after path: [String] = [], width: Int = 80) -> String {
        HelpPage(self, after: path).text(width: width)
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
struct HelpLayout {
    private static let column = 26
    private let width: Int

    /// - Parameter width: The width of the text in columns.
    init(width: Int) {
        self.width = width
    }

    /// Returns the lines of a label and its explanation. The explanation starts on a line below a long label.
    func row(_ label: String, _ explanation: String) -> String {
        let lines = wrap(explanation, at: width - Self.column)
        let margin = String(repeating: " ", count: Self.column)
        let head = "  " + label
        guard let first = lines.first else { return head + "\n" }
        let padding = Self.column - head.count
        let start = padding > 0 ? head + String(repeating: " ", count: padding) + first : head + "\n" + margin + first
        return ([start] + lines.dropFirst().map { margin + $0 }).map { $0 + "\n" }.joined()
    }

    /// Returns the lines of a paragraph.
    func prose(_ text: String) -> String { wrap(text, at: width).joined(separator: "\n") }

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

extension HelpPage {
    /// Returns the page in Markdown.
    ///
    /// - Parameter level: The level of the page's heading. The headings of sections are one level deeper.
    package func markdown(level: Int = 1) -> String {
        var parts = [heading(title, level), Self.markdown(summary) + "."]
        for block in blocks {
            switch block {
            case .heading(let title): parts.append(heading(title, level + 1))
            case .paragraph(let prose): parts.append(Self.markdown(prose))
            case .yaml(let lines): parts.append("```yaml\n\(lines)\n```")
            case .code(let lines), .usage(let lines): parts.append("```text\n\(lines)\n```")
            case .rows(let rows):
                let lines = rows.map { "| `\(Self.cell($0.name))` | \(Self.cell(Self.markdown($0.meaning))) |" }
                parts.append((["| name | meaning |", "|---|---|"] + lines).joined(separator: "\n"))
            }
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func heading(_ title: String, _ level: Int) -> String {
        String(repeating: "#", count: level) + " " + title
    }

    /// Returns text with backticks in place of single quotes around code. Keeps apostrophes within words.
    private static func markdown(_ text: String) -> String {
        var result = ""
        var isCode = false
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            let before = index > 0 ? characters[index - 1] : " "
            let after = index + 1 < characters.count ? characters[index + 1] : " "
            let opens = !isCode && !before.isLetter && !before.isNumber && after != " "
            let closes = isCode && !after.isLetter && !after.isNumber
            if character == "'", opens || closes {
                isCode = opens
                result.append("`")
            } else if !isCode, character == "<" || character == "*" {
                result += "\\\(character)"
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Returns text for a cell of a table. Escapes `|`, which ends a cell even in code.
    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|")
    }
}
