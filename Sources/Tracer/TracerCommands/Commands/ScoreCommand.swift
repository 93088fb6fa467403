import Arguments
import Text
import Tracer

/// The command `tracer-demo score`: scores recorded traces, with reasons.
enum ScoreCommand {
    private static let inputs = Key<[String]>.positionals(
        "traces", help: "The recorded traces, JSON files.", completion: .file)

    static let command = DemoCommand(
        spec: CommandSpec(
            "score", abstract: "Score recorded traces from 0 to 100 points, with the reasons.",
            parameters: [
                inputs.spec, LetterArguments.glyphs.spec, LetterArguments.threshold.spec, LetterArguments.mode.spec,
                LetterArguments.json.spec,
            ]),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let paths = arguments[inputs]
        guard !paths.isEmpty else {
            throw Failure("no trace given", hint: "use 'tracer-demo score trace.json'", status: .usage)
        }
        let library = try GlyphLibrary(arguments)
        let scored = try paths.map { path in
            let recording = try RecordingReader.read(path)
            let session = try recording.session(
                named: path, of: library,
                settings: LetterArguments.settings(
                    arguments, of: recording,
                    mode: TraceSettings.Mode(rawValue: arguments[LetterArguments.mode]) ?? .free))
            return (path: path, letter: recording.letter ?? "", score: TraceScore(session))
        }
        if arguments[LetterArguments.json] {
            var writer = JSONWriter(.indented)
            writer.array { writer in
                for entry in scored { write(entry.score, entry.letter, entry.path, to: &writer) }
            }
            console.write(writer.text + "\n")
        } else {
            for entry in scored { console.write(text(entry.score, entry.letter, entry.path, console.style)) }
        }
        return scored.allSatisfy { $0.score.isAccepted } ? .done : .failed
    }

    private static func text(_ score: TraceScore, _ letter: String, _ path: String, _ style: TextStyle) -> String {
        let points = String(repeating: " ", count: max(0, 3 - "\(score.points)".count)) + "\(score.points)"
        let color: TextStyle.Attribute = score.isAccepted ? .green : .red
        let verdict = score.isAccepted ? "accepted    " : "not accepted"
        var text = "\(style.apply(color, to: verdict))  \(points) of 100  \(letter)  \(path)\n"
        for reason in score.reasons { text += "                          \(reason)\n" }
        return text
    }

    private static func write(_ score: TraceScore, _ letter: String, _ path: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("trace", path)
            writer.member("letter", letter)
            writer.member("points", score.points)
            writer.member("accepted", score.isAccepted)
            writer.member("coverage", rounded(score.coverage))
            writer.member("accuracy", rounded(score.accuracy))
            writer.member("deviation", rounded(score.deviation))
            writer.member("reasons", score.reasons.map(\.description))
        }
    }
}

extension Recording {
    /// Returns a session with the recorded strokes on the recorded letter.
    ///
    /// - Parameter path: The path of the file, for messages.
    func session(
        named path: String, letter name: String? = nil, of library: GlyphLibrary, settings: TraceSettings
    ) throws -> TraceSession {
        guard let name = name ?? letter else {
            throw Failure("'\(path)' does not say which letter it is", hint: "--letter names it", status: .usage)
        }
        var session = TraceSession(target: try makeTarget(library.glyph(name), size: size, settings: settings))
        session.replay(strokes)
        return session
    }
}
