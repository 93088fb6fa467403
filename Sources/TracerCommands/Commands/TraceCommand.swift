import Arguments
import Diagnostics
import Tracer

/// `tracer-demo trace`: judges a recorded trace and draws it.
enum TraceCommand {
    private static let letter = Key<String?>.option(
        "letter", value: "letter", help: "The letter that was to be traced. (default: the one in the trace)")
    private static let input = Key<String>.required(
        "input", short: "i", value: "file", help: "The recorded trace, a JSON file.", completion: .file)
    static let command = DemoCommand(
        spec: CommandSpec(
            "trace", abstract: "Judge a recorded trace of a letter.",
            discussion:
                "Ends with status 0 when the letter is complete, and with 1 when something is missing or was scribbled over.",
            parameters: [
                letter.spec, LetterArguments.glyphs.spec, input.spec, LetterArguments.threshold.spec,
                LetterArguments.mode.spec,
                LetterArguments.json.spec,
            ] + PictureStyle.parameters + PictureOutput.parameters),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let output = try PictureOutput(arguments)
        let picture = try PictureStyle.picture(arguments)
        let recording = try RecordingReader.read(arguments[input])
        let settings = TraceSettings(
            threshold: arguments[LetterArguments.threshold] ?? recording.threshold,
            mode: TraceSettings.Mode(rawValue: arguments[LetterArguments.mode]) ?? .free)
        let session = try recording.session(
            named: arguments[input], letter: arguments[letter], of: GlyphLibrary(arguments), settings: settings)

        try output.write(picture.displayList(of: session, size: recording.size), to: console)
        let report = TraceReport(letter: arguments[letter] ?? recording.letter ?? "", session: session)
        console.write(arguments[LetterArguments.json] ? report.json : report.text(style: console.style))
        return session.isComplete ? .done : .failed
    }
}
