import OperatingSystem
import Text
import Tracer

/// A reader of glyph sets and of files of other projects.
enum GlyphFile {
    enum Format: String, CaseIterable {
        case tracer, kanjivg, hershey, hanziwriter
    }

    /// Reads a file, or all `.json` and `.svg` files of a directory. If `format` is `nil`, derives the format from the file
    /// extension.
    ///
    /// - Throws: ``Failure`` with status 66 for a file that cannot be read, and 65 for a file without valid glyphs.
    static func read(_ path: String, format: Format?) throws -> [Glyph] {
        let source: SourceFile
        do {
            if isDirectory(path) {
                let names = try listDirectory(path).filter { $0.hasSuffix(".json") || $0.hasSuffix(".svg") }
                return try names.flatMap { try read("\(path)/\($0)", format: format) }
            }
            source = SourceFile(path: path, bytes: try readInput(path))
        } catch {
            throw Failure("\(error)", status: .fileNotFound)
        }
        let text = String(decoding: source.bytes, as: UTF8.self)
        guard let format = format ?? guess(path) else {
            throw Failure(
                "unknown format of '\(path)'", hint: "use --format with \(list(Format.allCases.map(\.rawValue)))",
                status: .refused)
        }
        do {
            switch format {
            case .kanjivg: return [try KanjiVG.glyph(text)]
            case .hershey: return try HersheyFont.glyphs(text)
            case .tracer, .hanziwriter:
                let node = try json(source)
                // Both formats are JSON, so the contents determine the format.
                return node[GlyphSetReader.mark] != nil || format == .tracer
                    ? try GlyphSetReader.read(node, from: source).glyphs
                    : [try hanziWriter(node, source, name: bareName(path))]
            }
        } catch let error as HersheyFont.Failure {
            let span = source.range(ofLine: error.line).map { Span(file: source, range: $0) }
            throw Failure(Diagnostics([Diagnostic(.error, error.reason, at: span)]))
        } catch let error as KanjiVG.Failure {
            guard case .badPath(_, let line, _) = error else { throw Failure("\(path): \(error)", status: .refused) }
            let span = source.range(ofLine: line).map { Span(file: source, range: $0) }
            throw Failure(Diagnostics([Diagnostic(.error, "\(error)", at: span)]))
        }
    }

    private static func guess(_ path: String) -> Format? {
        if path.hasSuffix(".svg") { return .kanjivg }
        if path.hasSuffix(".jhf") { return .hershey }
        return path.hasSuffix(".json") ? .hanziwriter : nil
    }

    private static func json(_ source: SourceFile) throws -> JSONNode {
        do {
            return try JSONParser.parse(source.bytes)
        } catch {
            let span = Span(file: source, range: error.offset..<error.offset)
            throw Failure(Diagnostics([Diagnostic(.error, "invalid JSON: \(error.message)", at: span)]))
        }
    }

    private static func bareName(_ path: String) -> String {
        let name = lastPathComponent(path)
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    private static func hanziWriter(_ node: JSONNode, _ source: SourceFile, name: String) throws -> Glyph {
        func failure(_ message: String, _ node: JSONNode) -> Failure {
            Failure(Diagnostics([Diagnostic(.error, message, at: Span(file: source, range: node.range))]))
        }
        guard let medians = node["medians"]?.array, !medians.isEmpty else {
            throw failure("expected a list of strokes in 'medians'", node["medians"] ?? node)
        }
        let strokes = try medians.map { median in
            let points = try (median.array ?? []).map { point in
                let numbers = point.array?.compactMap(\.number) ?? []
                guard numbers.count == 2, point.array?.count == 2 else { throw failure("expected [x, y]", point) }
                return TracePoint(numbers[0], numbers[1])
            }
            guard !points.isEmpty else { throw failure("expected a list of points", median) }
            return points
        }
        return HanziWriterCharacter(character: node["character"]?.string, medians: strokes).glyph(named: name)
    }
}
