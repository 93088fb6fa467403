import Arguments
import Diagnostics
import Tracer

/// The glyphs that a command knows: the built-in ones, or those of a file.
struct GlyphLibrary {
    let glyphs: [Glyph]
    /// The file they are from; nil for the built-in ones.
    let path: String?

    static let builtIn = GlyphLibrary(glyphs: Alphabet.all, path: nil)

    /// - Throws: ``Failure`` for a file that can't be read or holds no glyphs.
    init(_ arguments: ParsedArguments) throws {
        guard let path = arguments[LetterArguments.glyphs] else {
            self = .builtIn
            return
        }
        // A blank has nothing to trace.
        self.init(glyphs: try GlyphFile.read(path, format: nil).filter { !$0.curves.isEmpty }, path: path)
        guard !glyphs.isEmpty else { throw Failure("'\(path)' has no glyphs", status: .refused) }
    }

    private init(glyphs: [Glyph], path: String?) {
        self.glyphs = glyphs
        self.path = path
    }

    /// - Throws: ``Failure`` with status 66 for a name that no glyph has.
    func glyph(_ name: String) throws -> Glyph {
        if let glyph = glyphs.first(where: { $0.name == name }) { return glyph }
        guard let path else {
            throw Failure(
                "there is no letter '\(name)'", hint: "'tracer-demo letters' lists those that are built in",
                status: .fileNotFound)
        }
        throw Failure(
            "'\(path)' has no '\(name)'", hint: "'tracer-demo letters --glyphs \(path)' lists what it has",
            status: .fileNotFound)
    }

    /// The glyphs of the names; 'all' stands for every glyph.
    func glyphs(named names: [String]) throws -> [Glyph] {
        try names.flatMap { $0 == "all" ? glyphs : [try glyph($0)] }
    }
}

/// Parameters that several commands share.
enum LetterArguments {
    static let threshold = Key<Double?>.option(
        "threshold", value: "distance", help: "How far from the path the pen may be, in view units.")
    static let glyphs = Key<String?>.option(
        "glyphs", value: "file",
        help: "Take letters from a glyph set or a file of another project. (default: the built-in ones)",
        completion: .file)
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
