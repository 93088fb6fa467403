import Arguments
import Diagnostics
import Tracer

extension Glyph {
    /// - Throws: ``Failure`` with status 66 for a character that is not built in.
    static func named(_ name: String) throws -> Glyph {
        if let glyph = Alphabet.glyph(name) { return glyph }
        throw Failure(
            "there is no letter '\(name)'", hint: "'tracer-demo letters' lists those that are built in",
            status: .fileNotFound)
    }
}

/// Parameters that several commands share.
enum LetterArguments {
    static let threshold = Key<Double?>.option(
        "threshold", value: "distance", help: "How far from the path the pen may be, in view units.")
    static let force = Key<Bool>.flag("force", help: "Replace output files that exist.")
    static let json = Key<Bool>.flag("json", help: "Print the result as JSON.")
    static let mode = Key<String>.option(
        "mode", value: "mode", default: TraceSettings.Mode.free.rawValue,
        help: "Draw in any order, or stroke by stroke in the direction of writing.",
        allowed: TraceSettings.Mode.allCases.map(\.rawValue))

    static let size = Size(320, 400)
}

/// Prepares a target, and words what is wrong with its settings.
func makeTarget(_ glyph: Glyph, size: Size, settings: TraceSettings) throws -> TraceTarget {
    do {
        return try glyph.target(in: size, settings: settings)
    } catch {
        throw Failure("\(error)", status: .usage)
    }
}
