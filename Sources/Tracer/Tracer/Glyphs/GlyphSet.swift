/// A document that contains glyphs.
///
/// Encoded as `{"tracer-glyphs": 1, "name": "school", "glyphs": [glyph, …]}`.
public struct GlyphSet: Sendable, Hashable {
    /// The version of the encoded form.
    package static let format = 1

    /// The name of the set, if it has one.
    public var name: String?
    /// The glyphs in display order. Several glyphs may have the same name.
    public var glyphs: [Glyph]

    /// Creates a set of glyphs.
    public init(name: String? = nil, glyphs: [Glyph]) {
        self.name = name
        self.glyphs = glyphs
    }

    /// The first glyph with the given name.
    public subscript(name: String) -> Glyph? {
        glyphs.first { $0.name == name }
    }
}

#if !hasFeature(Embedded)
    extension GlyphSet: Codable {
        private enum CodingKeys: String, CodingKey {
            case format = "tracer-glyphs"
            case name, glyphs
        }

        /// - Throws: `DecodingError`, including for a version other than 1.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let found = try values.decode(Int.self, forKey: .format)
            guard found == Self.format else {
                throw DecodingError.dataCorruptedError(
                    forKey: .format, in: values, debugDescription: "expected format \(Self.format), found \(found)")
            }
            self.init(
                name: try values.decodeIfPresent(String.self, forKey: .name),
                glyphs: try values.decode([Glyph].self, forKey: .glyphs))
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(Self.format, forKey: .format)
            try values.encodeIfPresent(name, forKey: .name)
            try values.encode(glyphs, forKey: .glyphs)
        }
    }
#endif
