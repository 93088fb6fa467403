extension HelpPage {
    /// Returns the page in Markdown.
    ///
    /// - Parameter level: The level of its heading; sections are one below.
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

    /// Returns text with code between backticks in place of single quotes. An apostrophe within a word stays.
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

    /// Returns text for a cell of a table, in which `|` ends the cell even within code.
    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
