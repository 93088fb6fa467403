/// A character in the JSON form of HanziWriter and Make Me a Hanzi: `{"strokes": […], "medians": [[[x, y], …], …]}`.
///
/// The medians are the middles of the strokes, in the order and direction of writing, in a box of 1024 units with the y
/// axis up. Decode it with any JSON decoder. The data have licences of their own.
public struct HanziWriterCharacter: Sendable, Hashable, Codable {
    /// The character, where the file says it.
    public var character: String?
    /// One list of points for each stroke, the y axis up.
    public var medians: [[Point]]

    /// A character by the middles of its strokes, the y axis up.
    public init(character: String? = nil, medians: [[Point]]) {
        self.character = character
        self.medians = medians
    }

    /// Where the y axis of the data has its zero, in glyph units from the top.
    private static let baseline = 900.0

    /// The strokes with the y axis down; a stroke without points is left out.
    ///
    /// - Parameter name: What the glyph is called if the data do not say.
    public func glyph(named name: String = "") -> Glyph {
        let curves = medians.compactMap { median -> Curve? in
            let points = median.map { Point($0.x, Self.baseline - $0.y) }
            guard let first = points.first else { return nil }
            return points.dropFirst().reduce(Curve(at: first)) { $0.line(to: $1) }
        }
        return Glyph(name: character ?? name, curves: curves)
    }
}
