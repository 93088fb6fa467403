import Arguments
import OperatingSystem
import Text
import Tracer
import TracerPictures

/// The command `tracer-demo web`: creates a page on which letters can be traced in a browser.
enum WebCommand {
    private static let engine = Key<String>.option(
        "engine", value: "file", default: ".build/web/tracer.wasm", help: "The engine, which 'ci/web' compiles.",
        completion: .file)
    private static let app = Key<String?>.option(
        "app", value: "directory", help: "Write an app for a web server to this directory instead, for use offline.",
        completion: .directory)
    private static let output = Key<String>.option(
        "output", short: "o", value: "file", default: "tracer.html", help: "The output file.", completion: .file)

    static let command = DemoCommand(
        spec: CommandSpec(
            "web", abstract: "Create an HTML page on which letters can be traced.",
            discussion: """
                The page contains all it needs, and works without a network. It reads recordings and glyph sets as \
                well. With '--app', a browser can also install it, from a server with https.
                """,
            parameters: [engine.spec, LetterArguments.glyphs.spec, app.spec, output.spec, LetterArguments.force.spec]),
        run: run)

    private static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitStatus {
        let force = arguments[LetterArguments.force]
        if let directory = arguments[app] { try createDirectory(directory) }
        let path = arguments[app].map { "\($0)/index.html" } ?? arguments[output]
        let file = try OutputFile(path, force: force)
        let others = try arguments[app].map { directory in
            try WebPage.appFiles.map {
                (file: try OutputFile("\(directory)/\($0.name)", force: force), bytes: $0.bytes)
            }
        }
        let library = try GlyphLibrary(arguments)
        let engine = try engine(at: arguments[engine])
        let set = library.path == nil ? WebPage.builtIn : GlyphSet(glyphs: library.glyphs)
        let page = WebPage(engine: engine, glyphs: set)
        try file.write(page.html(isApp: others != nil))
        for other in others ?? [] { try other.file.write(other.bytes) }
        console.write(
            "\(path): \(count(set.glyphs.count, "letter")), engine \(page.engine.count) bytes compressed\n")
        return .done
    }

    private static func createDirectory(_ path: String) throws {
        do {
            try makeDirectories(path)
        } catch {
            throw Failure("\(error)", status: .cannotWrite)
        }
    }

    private static func engine(at path: String) throws -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try readInput(path)
        } catch {
            throw Failure("\(error)", hint: "'ci/web' compiles the engine, '--engine' names it", status: .fileNotFound)
        }
        guard bytes.starts(with: Array("\0asm".utf8)) else {
            throw Failure("'\(path)' is no WebAssembly module", status: .refused)
        }
        return bytes
    }
}

/// A self-contained HTML page with the engine and a set of glyphs.
struct WebPage {
    /// The WebAssembly module as a zlib stream.
    let engine: [UInt8]
    private let glyphs: GlyphSet

    /// - Parameter engine: The WebAssembly module.
    init(engine: [UInt8], glyphs: GlyphSet) {
        self.engine = zlibCompressed(engine)
        self.glyphs = glyphs
    }

    /// All built-in letters, which the page divides into sets. Letters with marks follow those without.
    static let builtIn: GlyphSet = {
        let capitals = Alphabet.accented.filter { $0.name == $0.name.uppercased() }
        let letters =
            Alphabet.uppercase + capitals + Alphabet.lowercase + Alphabet.accented.filter { !capitals.contains($0) }
        return GlyphSet(name: "Tracer", glyphs: letters + Alphabet.digits + Alphabet.alternates)
    }()

    /// The files beside the page of an app.
    static let appFiles: [(name: String, bytes: [UInt8])] = [
        ("app.webmanifest", PackageResources.app_webmanifest), ("icon.svg", PackageResources.icon_svg),
        ("worker.js", PackageResources.worker_js),
    ]

    /// Returns the page.
    ///
    /// - Parameter isApp: A Boolean value that indicates whether ``appFiles`` are beside the page.
    func html(isApp: Bool = false) -> String {
        let script = [
            PackageResources.engine_js, PackageResources.drawing_js, PackageResources.words_js,
            PackageResources.sound_js,
            PackageResources.progress_js, PackageResources.panel_js, PackageResources.page_js,
        ]
        // '</' would end the script that contains the glyphs.
        let json = glyphs.jsonText.split(separator: "</", omittingEmptySubsequences: false).joined(separator: "<\\/")
        let parts = [
            "style": text(PackageResources.page_css), "script": script.map(text).joined(separator: "\n"),
            "glyphs": json, "engine": hexadecimal(engine),
            "icon": isApp
                ? "icon.svg" : "data:image/svg+xml," + text(PackageResources.icon_svg.percentEncoded(allowing: "")),
            "links": isApp ? Self.appLinks : "",
        ]
        var html = ""
        var rest = text(PackageResources.page_html)[...]
        while let open = rest.firstRange(of: "{{"), let close = rest.firstRange(of: "}}") {
            html += rest[..<open.lowerBound] + (parts[String(rest[open.upperBound..<close.lowerBound])] ?? "")
            rest = rest[close.upperBound...]
        }
        return html + rest
    }

    private static let appLinks = """
        <link rel="manifest" href="app.webmanifest">
        <script>navigator.serviceWorker?.register("worker.js");</script>

        """

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
