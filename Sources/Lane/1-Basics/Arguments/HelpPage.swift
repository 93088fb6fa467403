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
