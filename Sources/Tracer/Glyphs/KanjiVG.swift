/// Reads a glyph from an SVG file of the KanjiVG project: one `path` element a stroke, in the order of writing.
///
/// The data are under CC BY-SA 3.0; whoever ships them, or glyphs made from them, has to say so. Any SVG file whose `path`
/// elements are strokes can be read this way; transforms are not applied.
public enum KanjiVG {
    /// Why a file gives no glyph.
    public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// No `path` element has data.
        case noPaths
        /// The stroke and the line of the file in which it begins, both counted from one, and what is wrong with its data.
        case badPath(stroke: Int, line: Int, SVGPathData.Failure)

        public var description: String {
            switch self {
            case .noPaths: "there is no path element with data"
            case .badPath(let stroke, _, let failure): "stroke \(stroke): \(failure) at offset \(failure.offset)"
            }
        }
    }

    /// - Parameters:
    ///   - svg: The whole file.
    ///   - name: What the glyph is called; by default the file's own `kvg:element`, or nothing.
    public static func glyph(_ svg: String, name: String? = nil) throws(Failure) -> Glyph {
        var curves: [Curve] = []
        for tag in elements("path", in: svg) {
            guard let data = attribute("d", in: tag) else { continue }
            do {
                curves += try SVGPathData.parse(data)
            } catch {
                let line = svg[..<tag.startIndex].count(where: \.isNewline) + 1
                throw .badPath(stroke: curves.count + 1, line: line, error)
            }
        }
        guard !curves.isEmpty else { throw .noPaths }
        let element = elements("g", in: svg).lazy.compactMap { attribute("kvg:element", in: $0) }.first
        return Glyph(name: name ?? element ?? "", curves: curves)
    }

    /// The insides of all tags of a name, comments left out.
    private static func elements(_ name: String, in svg: String) -> [Substring] {
        var found: [Substring] = []
        var rest = svg[...]
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            let end = rest.hasPrefix("!--") ? rest.firstRange(of: "-->")?.lowerBound : rest.firstIndex(of: ">")
            guard let end else { break }
            let tag = rest[..<end]
            if tag.hasPrefix(name), let next = tag.dropFirst(name.count).first, next.isWhitespace {
                found.append(tag.dropFirst(name.count))
            }
            rest = rest[end...]
        }
        return found
    }

    /// The value of an attribute in the inside of a tag.
    private static func attribute(_ name: String, in tag: Substring) -> String? {
        var rest = tag
        while let equals = rest.firstIndex(of: "=") {
            let key = rest[..<equals].split(whereSeparator: \.isWhitespace).last
            let value = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
            guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
            let inside = value.dropFirst()
            guard let end = inside.firstIndex(of: quote) else { return nil }
            if let key, key == name { return String(inside[..<end]) }
            rest = inside[inside.index(after: end)...]
        }
        return nil
    }
}
