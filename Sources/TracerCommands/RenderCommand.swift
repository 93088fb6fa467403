import Arguments
import Diagnostics
import Tracer

/// `tracer-demo render`: pictures of letters to trace.
enum RenderCommand {
    private static let letters = Key<[String]>.positionals("letters", help: "The letters, one picture for all of them.")
    private static let columns = Key<Int>.option(
        "columns", value: "count", default: 9, help: "How many letters stand beside each other.")

    static let command = DemoCommand(
        spec: CommandSpec(
            "render", abstract: "Draw letters as one would trace them: the guide and its key points.",
            discussion: "Without an output file the picture is drawn in the terminal. 'all' draws every letter.",
            parameters: [letters.spec, columns.spec, LetterArguments.threshold.spec] + PictureOutput.parameters),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let output = try PictureOutput(arguments)
        let names = arguments[letters]
        guard !names.isEmpty else {
            throw Failure("no letter is named", hint: "'tracer-demo render A' draws one", status: .usage)
        }
        guard (1...100).contains(arguments[columns]) else {
            throw Failure("expected 1 to 100 columns, found \(arguments[columns])", status: .usage)
        }
        let glyphs = try names.flatMap { $0 == "all" ? Alphabet.all : [try Glyph.named($0)] }
        let settings = TraceSettings(threshold: arguments[LetterArguments.threshold] ?? 20)
        let list = try sheet(glyphs, columns: min(arguments[columns], glyphs.count), settings: settings)
        try output.write(list, to: console)
        if output.isEmpty { output.show(list, on: console) }
        return .done
    }

    private static func sheet(_ glyphs: [Glyph], columns: Int, settings: TraceSettings) throws -> DisplayList {
        let cell = LetterArguments.size
        let rows = (glyphs.count + columns - 1) / columns
        let picture = TracePicture()
        var sheet = DisplayList(
            size: Size(cell.width * Double(columns), cell.height * Double(rows)), background: picture.background)
        for (number, glyph) in glyphs.enumerated() {
            let target = try makeTarget(glyph, size: cell, settings: settings)
            let place = Transform.translation(
                Point(Double(number % columns) * cell.width, Double(number / columns) * cell.height))
            sheet.items += picture.displayList(of: target, size: cell).items.map { $0.transformed(by: place) }
            sheet.items += target.paths.map {
                DisplayList.Item.stroke(
                    points: $0.points.map(place.apply), width: 2, color: Color(150, 158, 166))
            }
        }
        return sheet
    }
}
