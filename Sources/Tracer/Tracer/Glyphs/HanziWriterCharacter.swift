/// A character in the JSON format of HanziWriter and Make Me a Hanzi: `{"strokes": […], "medians": [[[x, y], …], …]}`.
///
/// The medians are the center lines of the strokes in stroke order, in a square of 1024 units with the y axis up.
/// Decode it with any JSON decoder. The data have their own licenses.
public struct HanziWriterCharacter: Sendable, Hashable, Codable {
    /// The character, if the file contains it.
    public var character: String?
    /// The center lines of the strokes, with the y axis up.
    public var medians: [[TracePoint]]

    /// Creates a character from the center lines of its strokes, with the y axis up.
    public init(character: String? = nil, medians: [[TracePoint]]) {
        self.character = character
        self.medians = medians
    }

    /// The origin of the y axis in the data, in glyph units from the top.
    private static let baseline = 900.0
    private static let side = 1024.0

    /// Returns a glyph with the y axis down, without strokes that have no points.
    ///
    /// - Parameter name: The name of the glyph if ``character`` is `nil`.
    public func glyph(named name: String = "") -> Glyph {
        let curves = medians.compactMap { median -> Curve? in
            let points = median.map { TracePoint($0.x, Self.baseline - $0.y) }
            guard let first = points.first else { return nil }
            return points.dropFirst().reduce(into: Curve(at: first)) { $0.append(.line(to: $1)) }
        }
        return Glyph(
            name: character ?? name, curves: curves, box: TraceRect(x: 0, y: 0, width: Self.side, height: Self.side))
    }
}
