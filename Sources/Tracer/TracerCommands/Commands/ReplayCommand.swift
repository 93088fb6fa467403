import Arguments
import Text
import Tracer

/// The command `tracer-demo replay`: creates an animated picture of a recorded trace.
enum ReplayCommand {
    private static let input = Key<String>.required(
        "input", short: "i", value: "file", help: "The recorded trace, a JSON file.", completion: .file)
    private static let svg = Key<String?>.option(
        "svg", value: "file", help: "The output file. (default: standard output)", completion: .file)
    private static let speed = Key<Double>.option(
        "speed", value: "factor", default: 1, help: "The factor of the original speed.")

    static let command = DemoCommand(
        spec: CommandSpec(
            "replay", abstract: "Create an animated SVG of a recorded trace.",
            discussion: "Open the file in a browser.",
            parameters: [
                input.spec, svg.spec, speed.spec, LetterArguments.glyphs.spec, LetterArguments.threshold.spec,
                LetterArguments.force.spec,
            ] + PictureStyle.parameters),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let file = try arguments[svg].map { try OutputFile($0, force: arguments[LetterArguments.force]) }
        guard arguments[speed] > 0 else {
            throw Failure("expected a speed above zero, found \(arguments[speed])", status: .usage)
        }
        let recording = try RecordingReader.read(arguments[input])
        let session = try recording.session(
            named: arguments[input], of: GlyphLibrary(arguments),
            settings: LetterArguments.settings(arguments, of: recording))
        let text = try PictureStyle.picture(arguments).replaySVG(
            of: session, size: recording.size, speed: arguments[speed])
        if let file { try file.write(text) } else { console.write(text) }
        return .done
    }
}
