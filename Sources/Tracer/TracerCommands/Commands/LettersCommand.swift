import Arguments
import Text
import Tracer

/// The command `tracer-demo letters`: lists the glyphs.
enum LettersCommand {
    static let command = DemoCommand(
        spec: CommandSpec(
            "letters", abstract: "List the letters and digits that can be traced.",
            parameters: [LetterArguments.glyphs.spec, LetterArguments.json.spec])
    ) { arguments, console in
        let library = try GlyphLibrary(arguments)
        let groups = library.path.map { [($0, library.glyphs)] } ?? builtIn
        console.write(arguments[LetterArguments.json] ? json(groups) : table(groups))
        return .done
    }

    private static let builtIn = [
        ("capitals", Alphabet.uppercase), ("small letters", Alphabet.lowercase), ("digits", Alphabet.digits),
        ("second forms", Alphabet.alternates), ("with marks", Alphabet.accented),
    ]

    private static func table(_ groups: [(String, [Glyph])]) -> String {
        groups.map { title, glyphs in
            title.padded(to: 14) + " " + glyphs.map(\.name).joined(separator: " ") + "\n"
        }.joined()
    }

    private static func json(_ groups: [(String, [Glyph])]) -> String {
        var writer = JSONWriter(.indented)
        writer.array { writer in
            for (title, glyphs) in groups {
                for glyph in glyphs {
                    writer.object { writer in
                        writer.member("letter", glyph.name)
                        writer.member("group", title)
                        writer.member("strokes", glyph.curves.count)
                        writer.member("orders", glyph.orders.count)
                    }
                }
            }
        }
        return writer.text + "\n"
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
