import Text

/// The manual page of a program, in the `man` macros of roff (`man 7 man`).
package enum ManualPage {
    /// Returns the manual page.
    ///
    /// - Parameters:
    ///   - name: The name of the program.
    ///   - command: The page of the program.
    ///   - pages: The pages of subcommands, actions and topics, each of which becomes a section.
    package static func text(of name: String, version: String, command: HelpPage, pages: [HelpPage]) -> String {
        let head = """
            .TH \(escaped(name.uppercased())) 1 "" \(quoted("\(name) \(version)"))
            .SH NAME
            \(escaped(name)) \\- \(escaped(command.summary))

            """
        return head + body(command, heading: ".SH") + pages.map(section).joined()
    }

    private static func section(_ page: HelpPage) -> String {
        ".SH \(quoted(page.title.uppercased()))\n\(line(page.summary)).\n" + body(page, heading: ".SS")
    }

    private static func body(_ page: HelpPage, heading: String) -> String {
        page.blocks.map { block in
            switch block {
            case .heading(let title):
                "\(heading) \(quoted(heading == ".SH" ? title.uppercased() : title))\n"
            case .paragraph(let prose): ".PP\n\(line(prose))\n"
            case .yaml(let text), .code(let text), .usage(let text):
                ".PP\n.in +4n\n.nf\n"
                    + text.split(separator: "\n", omittingEmptySubsequences: false)
                    .map { line(String($0)) + "\n" }.joined() + ".fi\n.in\n"
            case .rows(let rows):
                rows.map { ".TP\n.B \(quoted($0.name))\n\(line($0.meaning))\n" }.joined()
            }
        }.joined()
    }

    /// Returns an escaped line. In roff, a period or an apostrophe at the start of a line is a request.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// Returns an escaped argument of a macro.
    private static func quoted(_ text: String) -> String {
        "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
}
