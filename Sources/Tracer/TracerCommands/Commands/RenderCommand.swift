import Arguments
import Text
import Tracer

/// The command `tracer-demo render`: draws letters.
enum RenderCommand {
    private static let letters = Key<[String]>.positionals("letters", help: "The letters, drawn in a single picture.")
    private static let columns = Key<Int>.option(
        "columns", value: "count", default: 9, help: "The number of letters in a row.")

    private static let demonstration = Key<String?>.option(
        "demonstration", value: "file", help: "Write an animated SVG in which a single letter is drawn.",
        completion: .file)

    static let command = DemoCommand(
        spec: CommandSpec(
            "render", abstract: "Draw the guide and key points of letters.",
            discussion: "Without an output file the picture is drawn in the terminal. Use 'all' for every letter.",
            parameters: [
                letters.spec, columns.spec, demonstration.spec, LetterArguments.glyphs.spec,
                LetterArguments.threshold.spec,
            ]
                + PictureStyle.parameters
                + PictureOutput.parameters),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let output = try PictureOutput(arguments)
        let animation = try arguments[demonstration].map {
            try OutputFile($0, force: arguments[LetterArguments.force])
        }
        let names = arguments[letters]
        guard !names.isEmpty else {
            throw Failure("no letter given", hint: "use 'tracer-demo render A'", status: .usage)
        }
        guard (1...100).contains(arguments[columns]) else {
            throw Failure("expected 1 to 100 columns, found \(arguments[columns])", status: .usage)
        }
        let glyphs = try GlyphLibrary(arguments).glyphs(named: names)
        let settings = LetterArguments.settings(arguments)
        if let animation {
            guard glyphs.count == 1 else {
                throw Failure("expected one letter to demonstrate, found \(glyphs.count)", status: .usage)
            }
            let size = LetterArguments.size
            let target = try makeTarget(glyphs[0], size: size, settings: settings)
            try animation.write(PictureStyle.picture(arguments).demonstrationSVG(of: target, size: size))
        }
        let list = try GlyphSheet.list(
            glyphs, columns: min(arguments[columns], glyphs.count), settings: settings,
            picture: PictureStyle.picture(arguments))
        try output.write(list, to: console)
        if output.isEmpty, animation == nil { output.show(list, on: console) }
        return .done
    }
}
