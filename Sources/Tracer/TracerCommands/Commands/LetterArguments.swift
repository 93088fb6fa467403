import Arguments
import Text
import Tracer

/// The glyphs for a command: the built-in glyphs, or those of a file.
struct GlyphLibrary {
    let glyphs: [Glyph]
    /// The path of the file, or `nil` for the built-in glyphs.
    let path: String?

    static let builtIn = GlyphLibrary(glyphs: Alphabet.all, path: nil)

    /// Reads the file of `--glyphs`, or uses the built-in glyphs.
    ///
    /// - Throws: ``Failure`` for a file that cannot be read or contains no valid glyphs.
    init(_ arguments: ParsedArguments) throws {
        guard let path = arguments[LetterArguments.glyphs] else {
            self = .builtIn
            return
        }
        // Glyphs without strokes, such as a space, cannot be traced.
        self.init(glyphs: try GlyphFile.read(path, format: nil).filter { !$0.curves.isEmpty }, path: path)
        guard !glyphs.isEmpty else { throw Failure("'\(path)' has no glyphs", status: .refused) }
    }

    private init(glyphs: [Glyph], path: String?) {
        self.glyphs = glyphs
        self.path = path
    }

    /// Returns the glyph with the given name.
    ///
    /// - Throws: ``Failure`` with status 66 if there is none.
    func glyph(_ name: String) throws -> Glyph {
        if let glyph = glyphs.first(where: { $0.name == name }) { return glyph }
        guard let path else {
            if let form = Alphabet.glyph(name) { return form }
            throw Failure(
                "there is no letter '\(name)'", hint: "'tracer-demo letters' lists the built-in letters",
                status: .fileNotFound)
        }
        throw Failure(
            "'\(path)' has no '\(name)'", hint: "'tracer-demo letters --glyphs \(path)' lists what it has",
            status: .fileNotFound)
    }

    /// Returns the glyphs with the given names. `all` means every glyph except the second forms of the alphabet.
    func glyphs(named names: [String]) throws -> [Glyph] {
        try names.flatMap { $0 == "all" ? glyphs : [try glyph($0)] }
    }
}

/// The parameters that several commands have in common.
enum LetterArguments {
    static let threshold = Key<Double?>.option(
        "threshold", value: "distance",
        help: "The distance up to which the pen is on the path, in view units. (default: by the size of the letter)")
    static let glyphs = Key<String?>.option(
        "glyphs", value: "path",
        help: "Use letters of a glyph set, or of files of another project. (default: the built-in ones)",
        completion: .file)
    static let force = Key<Bool>.flag("force", help: "Overwrite existing output files.")
    static let json = Key<Bool>.flag("json", help: "Print the result as JSON.")
    static let mode = Key<String>.option(
        "mode", value: "mode", default: TraceSettings.Mode.free.rawValue,
        help: "Accept strokes in any order, or only in order and direction.",
        allowed: TraceSettings.Mode.allCases.map(\.rawValue))

    static let size = TraceSize(320, 400)

    /// Returns the settings with the threshold of the arguments, or with that of a recording.
    static func settings(
        _ arguments: ParsedArguments, of recording: Recording? = nil, mode: TraceSettings.Mode = .free
    ) -> TraceSettings {
        let distance = arguments[threshold] ?? recording?.threshold
        return TraceSettings(threshold: distance.map { .units($0) } ?? .standard, mode: mode)
    }
}

/// Returns a target. Converts an error in its settings to a ``Failure``.
func makeTarget(_ glyph: Glyph, size: TraceSize, settings: TraceSettings) throws -> TraceTarget {
    do {
        return try glyph.target(in: size, settings: settings)
    } catch {
        throw Failure("\(error)", status: .usage)
    }
}
