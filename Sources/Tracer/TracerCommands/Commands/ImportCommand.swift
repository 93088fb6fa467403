import Arguments
import Text
import Tracer

/// The command `tracer-demo import`: lists, draws and converts glyphs of other projects.
enum ImportCommand {
    private static let file = Key<String?>.positional(
        "file", help: "A KanjiVG file (.svg), a Hershey font (.jhf), a HanziWriter character or a glyph set (.json).",
        completion: .file)
    private static let format = Key<String?>.option(
        "format", value: "format", help: "The file format. (default: by the file extension)",
        allowed: GlyphFile.Format.allCases.map(\.rawValue))
    private static let letter = Key<String?>.option("letter", value: "letter", help: "Import only this glyph.")
    private static let output = Key<String?>.option(
        "output", short: "o", value: "file", help: "Write the glyphs to a glyph set, for '--glyphs'.",
        completion: .file)
    private static let name = Key<String?>.option("name", value: "name", help: "The name of the glyph set.")

    static let command = DemoCommand(
        spec: CommandSpec(
            "import", abstract: "List, draw and convert the glyphs in a file of another project.",
            discussion: "These files have their own licenses; check that they permit your use.",
            parameters: [file.spec, format.spec, letter.spec, output.spec, name.spec] + PictureOutput.parameters),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let pictures = try PictureOutput(arguments)
        let document = try arguments[output].map { try OutputFile($0, force: arguments[LetterArguments.force]) }
        guard let path = arguments[file] else {
            throw Failure("no file given", hint: "use 'tracer-demo import font.jhf'", status: .usage)
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
