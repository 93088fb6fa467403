import Arguments
import Diagnostics
import Tracer

/// `tracer-demo import`: looks at glyphs of other projects.
enum ImportCommand {
    private static let file = Key<String?>.positional(
        "file", help: "A KanjiVG file (.svg), a Hershey font (.jhf), a HanziWriter character or a glyph set (.json).",
        completion: .file)
    private static let format = Key<String?>.option(
        "format", value: "format", help: "What kind of file it is. (default: by its name)",
        allowed: GlyphFile.Format.allCases.map(\.rawValue))
    private static let letter = Key<String?>.option("letter", value: "letter", help: "Take this glyph only.")
    private static let output = Key<String?>.option(
        "output", short: "o", value: "file", help: "Write the glyphs into a glyph set, for '--glyphs'.",
        completion: .file)
    private static let name = Key<String?>.option("name", value: "name", help: "What the glyph set is called.")

    static let command = DemoCommand(
        spec: CommandSpec(
            "import", abstract: "List, draw and keep the glyphs in a file of another project.",
            discussion: "Such data have licences of their own: see that they permit what you do with them.",
            parameters: [file.spec, format.spec, letter.spec, output.spec, name.spec] + PictureOutput.parameters),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let pictures = try PictureOutput(arguments)
        let document = try arguments[output].map { try OutputFile($0, force: arguments[LetterArguments.force]) }
        guard let path = arguments[file] else {
            throw Failure("no file is named", hint: "'tracer-demo import font.jhf' reads one", status: .usage)
        }
        var glyphs = try GlyphFile.read(path, format: arguments[format].flatMap { GlyphFile.Format(rawValue: $0) })
        if let letter = arguments[letter] {
            glyphs = glyphs.filter { $0.name == letter }
            guard !glyphs.isEmpty else { throw Failure("'\(path)' has no '\(letter)'", status: .fileNotFound) }
        }
        for glyph in glyphs {
            let points = glyph.paths().reduce(0) { $0 + $1.points.count }
            console.write(
                "\(glyph.name.padded(to: 4))\(count(glyph.curves.count, "stroke")), \(count(points, "point"))\n")
        }
        try document?.write(GlyphSet(name: arguments[name], glyphs: glyphs).jsonText)
        let drawn = glyphs.filter { !$0.curves.isEmpty }
        if !pictures.isEmpty, !drawn.isEmpty {
            try pictures.write(
                GlyphSheet.list(drawn, columns: min(9, drawn.count), settings: TraceSettings()), to: console)
        }
        return .done
    }
}
