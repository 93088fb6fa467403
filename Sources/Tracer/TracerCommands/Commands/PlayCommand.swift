import Arguments
import Text
import Tracer

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The command `tracer-demo play`: lets the user trace letters in the terminal.
enum PlayCommand {
    private static let letters = Key<[String]>.positionals("letters", help: "The letters to trace. (default: all)")
    private static let save = Key<String?>.option(
        "save", value: "file", help: "Write a recording of the last letter to a JSON file.", completion: .file)

    static let command = DemoCommand(
        spec: CommandSpec(
            "play", abstract: "Trace letters in the terminal with the mouse or the arrow keys.",
            discussion: """
                Drag along the guide, or move with the arrow keys and lower or lift the pen with space. \
                Press u to undo a stroke, r to reset, d for a demonstration, n and p for the next and previous \
                letter, and q to quit. After three mistakes in a row, a hint shows the stroke.
                """,
            parameters: [
                letters.spec, LetterArguments.glyphs.spec, LetterArguments.mode.spec, save.spec,
                LetterArguments.force.spec,
            ]),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let file = try arguments[save].map { try OutputFile($0, force: arguments[LetterArguments.force]) }
        let names = arguments[letters]
        let glyphs = try GlyphLibrary(arguments).glyphs(named: names.isEmpty ? ["all"] : names)
        let mode = TraceSettings.Mode(rawValue: arguments[LetterArguments.mode]) ?? .free
        var screen = try PlayScreen(glyphs: glyphs, settings: TraceSettings(mode: mode), style: console.style)
        guard let terminal = Terminal() else {
            throw Failure(
                "play requires a terminal", hint: "use 'tracer-demo trace' for a recorded trace", status: .toolMissing)
        }
        let status = loop(&screen, terminal)
        terminal.close()
        let recording = screen.session.recording(size: PlayScreen.size, letter: screen.glyph.name)
        try file?.write(recording.jsonText)
        console.write("\(screen.glyph.name): \(TraceScore(screen.session).points) of 100\n")
        for (glyph, result) in zip(screen.quiz.glyphs, screen.quiz.results) where result.mistakes > 0 {
            console.write("\(glyph.name): \(count(result.mistakes, "mistake"))\n")
        }
        return status
    }

    private static func loop(_ screen: inout PlayScreen, _ terminal: Terminal) -> ExitStatus {
        var input = TerminalInput()
        let clock = ContinuousClock()
        var start = clock.now
        var letter = screen.glyph
        screen.resize(columns: terminal.size.columns, rows: terminal.size.rows)
        while true {
            if terminal.takeSuspension() { terminal.suspend() }
            if terminal.takeSizeChange() { screen.resize(columns: terminal.size.columns, rows: terminal.size.rows) }
            terminal.show(screen.lines, cursor: screen.cursorCell)
            guard let bytes = terminal.read(timeout: input.isWaiting || screen.isDemonstrating ? 50 : 500) else {
                return .done
            }
            if let signal = terminal.stoppedBy { return .signalled(signal) }
            let events = bytes.isEmpty ? input.flush() : input.events(from: bytes)
            screen.time = (clock.now - start) / .seconds(1)
            for event in events {
                if event == .suspend { terminal.suspend() }
                guard !screen.handle(event) else { continue }
                return event == .interrupt ? .signalled(SIGINT) : .done
            }
            if screen.glyph != letter {
                letter = screen.glyph
                start = clock.now
            }
        }
    }
}
