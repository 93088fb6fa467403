import Arguments
import Text
import Tracer

/// The command `tracer-demo trace`: judges and draws a recorded trace.
enum TraceCommand {
    private static let letter = Key<String?>.option(
        "letter", value: "letter", help: "The expected letter. (default: the letter of the recording)")
    private static let input = Key<String>.required(
        "input", short: "i", value: "file", help: "The recorded trace, a JSON file.", completion: .file)
    static let command = DemoCommand(
        spec: CommandSpec(
            "trace", abstract: "Judge a recorded trace of a letter.",
            discussion:
                "The exit status is 0 if the letter is complete, and 1 if a part is missing or scribbled over.",
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
        let settings = LetterArguments.settings(
            arguments, of: recording, mode: TraceSettings.Mode(rawValue: arguments[LetterArguments.mode]) ?? .free)
        let session = try recording.session(
            named: arguments[input], letter: arguments[letter], of: GlyphLibrary(arguments), settings: settings)

        try output.write(picture.displayList(of: session, size: recording.size), to: console)
        let report = TraceReport(letter: arguments[letter] ?? recording.letter ?? "", session: session)
        console.write(arguments[LetterArguments.json] ? report.json : report.text(style: console.style))
        return session.isComplete ? .done : .failed
    }
}
