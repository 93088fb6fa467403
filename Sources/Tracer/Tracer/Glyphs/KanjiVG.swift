/// A reader of SVG files of the KanjiVG project, which have one `path` element per stroke, in stroke order.
///
/// The data are licensed under CC BY-SA 3.0, which requires attribution for them and for glyphs derived from them.
/// Other SVG files whose `path` elements are strokes can be read as well. Transforms are not applied.
public enum KanjiVG {
    /// An error in a file.
    public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The file has no `path` element with data.
        case noPaths
        /// A syntax error in the data of a stroke, with the number of the stroke and of the line at which it starts,
        /// both starting at one.
        case badPath(stroke: Int, line: Int, SVGPathData.Failure)

        public var description: String {
            switch self {
            case .noPaths: "there is no path element with data"
            case .badPath(let stroke, _, let failure): "stroke \(stroke): \(failure) at offset \(failure.offset)"
            }
        }
    }

    /// Returns the glyph of a file. Its box is the view box of the file.
    ///
    /// - Parameters:
    ///   - svg: The contents of the file.
    ///   - name: The name of the glyph. If it is `nil`, the name is the `kvg:element` of the file, or an empty string.
    public static func glyph(_ svg: String, name: String? = nil) throws(Failure) -> Glyph {
        var curves: [Curve] = []
        var number = 0
        for tag in elements("path", in: svg) {
            guard let data = attribute("d", in: tag) else { continue }
            number += 1
            do {
                curves += try SVGPathData.parse(data)
            } catch {
                let line = svg[..<tag.startIndex].count { $0.isNewline } + 1
                throw .badPath(stroke: number, line: line, error)
            }
        }
        guard !curves.isEmpty else { throw .noPaths }
        let element = elements("g", in: svg).lazy.compactMap { attribute("kvg:element", in: $0) }.first
        return Glyph(name: name ?? element ?? "", curves: curves, box: box(of: svg))
    }

    /// Returns the view box of a file.
    private static func box(of svg: String) -> TraceRect? {
        guard let text = elements("svg", in: svg).first.flatMap({ attribute("viewBox", in: $0) }) else { return nil }
        let numbers = text.split { $0.isWhitespace || $0 == "," }.compactMap { Double($0) }
        guard numbers.count == 4 else { return nil }
        return TraceRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Returns the attributes of all elements with the given name, except in comments.
    private static func elements(_ name: String, in svg: String) -> [Substring] {
        var found: [Substring] = []
        var rest = svg[...]
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            let end = rest.hasPrefix("!--") ? endOfComment(rest) : rest.firstIndex(of: ">")
            guard let end else { break }
            let tag = rest[..<end]
            if tag.hasPrefix(name), let next = tag.dropFirst(name.count).first, next.isWhitespace {
                found.append(tag.dropFirst(name.count))
            }
            rest = rest[end...]
        }
        return found
    }

    // Embedded Swift has no search for text.
    private static func endOfComment(_ text: Substring) -> Substring.Index? {
        text.indices.first { text[$0...].hasPrefix("-->") }
    }

    /// Returns the value of an attribute.
    private static func attribute(_ name: String, in tag: Substring) -> String? {
        var rest = tag
        while let equals = rest.firstIndex(of: "=") {
            let key = rest[..<equals].split { $0.isWhitespace }.last
            let value = rest[rest.index(after: equals)...].drop { $0.isWhitespace }
            guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
            let inside = value.dropFirst()
            guard let end = inside.firstIndex(of: quote) else { return nil }
            if let key, key == name { return String(inside[..<end]) }
            rest = inside[inside.index(after: end)...]
        }
        return nil
    }
}
