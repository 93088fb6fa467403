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
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
