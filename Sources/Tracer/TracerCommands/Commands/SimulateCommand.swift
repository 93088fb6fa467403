import Arguments
import Text
import Tracer

/// The command `tracer-demo simulate`: creates a recorded trace.
enum SimulateCommand {
    private static let letter = Key<String>.required("letter", value: "letter", help: "The letter to trace.")
    private static let hand = Key<String>.option(
        "hand", value: "hand", default: SimulatedHand.Kind.steady.rawValue, help: "The kind of simulated hand.",
        allowed: SimulatedHand.Kind.allCases.map(\.rawValue))
    private static let seed = Key<Int>.option(
        "seed", value: "number", default: 1, help: "The seed of the random numbers.")
    private static let output = Key<String?>.option(
        "output", short: "o", value: "file", help: "The output file. (default: standard output)", completion: .file)

    static let command = DemoCommand(
        spec: CommandSpec(
            "simulate", abstract: "Draw a letter with a simulated hand and print the recorded trace.",
            parameters: [
                letter.spec, LetterArguments.glyphs.spec, hand.spec, seed.spec, LetterArguments.threshold.spec,
                output.spec,
                LetterArguments.force.spec,
            ]),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let file = try arguments[output].map { try OutputFile($0, force: arguments[LetterArguments.force]) }
        let glyph = try GlyphLibrary(arguments).glyph(arguments[letter])
        let size = LetterArguments.size
        let settings = LetterArguments.settings(arguments)
        let kind = SimulatedHand.Kind(rawValue: arguments[hand]) ?? .steady
        var simulated = SimulatedHand(kind, seed: UInt64(bitPattern: Int64(arguments[seed])))
        let target = try makeTarget(glyph, size: size, settings: settings)
        let text = simulated.recording(of: target, letter: glyph.name, size: size).jsonText
        if let file { try file.write(text) } else { console.write(text) }
        return .done
    }
}
