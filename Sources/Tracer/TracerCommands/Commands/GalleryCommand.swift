import Arguments
import OperatingSystem
import Text
import Tracer

/// The command `tracer-demo gallery`: creates a page of all letters and of recorded traces.
enum GalleryCommand {
    private static let traces = Key<[String]>.positionals(
        "traces", help: "The recorded traces, JSON files.", completion: .file)
    private static let output = Key<String>.option(
        "output", short: "o", value: "file", default: "gallery.html", help: "The output file.", completion: .file)

    static let command = DemoCommand(
        spec: CommandSpec(
            "gallery", abstract: "Create an HTML page of all letters and of recorded traces.",
            discussion:
                "Updates an existing page: draws only changed pictures. A page that was edited is not overwritten.",
            parameters: [traces.spec, LetterArguments.glyphs.spec, output.spec, LetterArguments.force.spec]),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let path = arguments[output]
        // Reading a device might never end.
        let previous = (try? readRegularFile(path)).map { String(decoding: $0, as: UTF8.self) }
        let isOurs = previous.map(GalleryPage.isOurs) ?? false
        let file = try OutputFile(path, force: arguments[LetterArguments.force] || isOurs)
        let library = try GlyphLibrary(arguments)
        let shown = try arguments[traces].map { try trace($0, library) }
        var page = GalleryPage(previous: isOurs ? previous : nil)
        let html = try page.html([GalleryPage.Section(title: "Traces", entries: shown)] + letters(of: library))
        if html != previous { try file.write(html) }
        console.write("\(path): \(count(page.drawn, "picture")) drawn, \(page.kept) unchanged\n")
        return .done
    }

    private static func letters(of library: GlyphLibrary) -> [GalleryPage.Section] {
        if let path = library.path {
            return [GalleryPage.Section(title: lastPathComponent(path), entries: library.glyphs.map(letter))]
        }
        return [
            GalleryPage.Section(title: "Capitals", entries: Alphabet.uppercase.map(letter)),
            GalleryPage.Section(title: "Small letters", entries: Alphabet.lowercase.map(letter)),
            GalleryPage.Section(title: "Digits", entries: Alphabet.digits.map(letter)),
            GalleryPage.Section(title: "Second forms", entries: Alphabet.alternates.map(letter)),
            GalleryPage.Section(title: "With marks", entries: Alphabet.accented.map(letter)),
        ]
    }

    private static let picture = TracePicture()

    /// Returns a cache key for the picture of a glyph.
    private static func key(_ glyph: Glyph) -> String {
        "\(TracerVersion.current) \(glyph.name) \(SVGPathData.text(glyph.curves)) \(glyph.box)"
    }

    private static func letter(_ glyph: Glyph) -> GalleryPage.Entry {
        GalleryPage.Entry(key: contentKey(key(glyph).utf8)) {
            let size = LetterArguments.size
            let list = picture.displayList(of: try makeTarget(glyph, size: size, settings: TraceSettings()), size: size)
            return inline(list, title: "The letter \(glyph.name)") + "<figcaption>\(glyph.name.escaped)</figcaption>\n"
        }
    }

    private static func trace(_ path: String, _ library: GlyphLibrary) throws -> GalleryPage.Entry {
        let bytes: [UInt8]
        do {
            bytes = try readInput(path)
        } catch {
            throw Failure("\(error)", status: .fileNotFound)
        }
        // The recording is parsed even if its picture is cached, because errors are reported every time.
        let recording = try RecordingReader.parse(SourceFile(path: path, bytes: bytes))
        let glyph = try recording.letter.map { key(try library.glyph($0)) } ?? ""
        return GalleryPage.Entry(key: contentKey("\(glyph) \(path) ".utf8 + bytes)) {
            let session = try recording.session(
                named: path, of: library, settings: TraceSettings(threshold: .units(recording.threshold)))
            let list = picture.displayList(of: session, size: recording.size)
            let caption = "\(recording.letter ?? "") · \(TraceScore(session).points) of 100"
            return inline(list, title: "\(lastPathComponent(path)), \(caption)")
                + "<figcaption>\(lastPathComponent(path).escaped)<br>\(caption.escaped)</figcaption>\n"
        }
    }

    /// Returns an SVG element with a label for screen readers.
    private static func inline(_ list: DisplayList, title: String) -> String {
        let svg = list.svg
        guard let end = svg.firstIndex(of: ">") else { return svg }
        return svg[..<end] + " role=\"img\"><title>\(title.escaped)</title>" + svg[svg.index(after: end)...]
    }
}
