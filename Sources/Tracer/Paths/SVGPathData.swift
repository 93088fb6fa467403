/// Path data as in the `d` attribute of SVG 1.1, section 8.3: all commands, in and out.
public enum SVGPathData {
    /// Where the data can't be understood, as a byte offset, and why.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// In bytes from the start of the data.
        public let offset: Int
        /// What was expected there.
        public let description: String
    }

    /// One curve for every continuous piece; `z` closes a piece with a line.
    ///
    /// - Throws: ``Failure`` at the first byte that does not belong there.
    public static func parse(_ data: String) throws(Failure) -> [Curve] {
        var parser = SVGPathParser(Array(data.utf8))
        return try parser.curves()
    }

    /// The curves with absolute commands and up to three decimals; reading it gives the same picture.
    public static func text(_ curves: [Curve]) -> String {
        curves.map(text).joined()
    }

    private static func text(_ curve: Curve) -> String {
        var text = "M\(pair(curve.start))"
        // A dot is drawn only if there is something after the move.
        if curve.elements.isEmpty { text += "L\(pair(curve.start))" }
        for element in curve.elements {
            switch element {
            case .line(let to): text += "L\(pair(to))"
            case .quadratic(let control, let to): text += "Q\(pair(control)) \(pair(to))"
            case .cubic(let control1, let control2, let to): text += "C\(pair(control1)) \(pair(control2)) \(pair(to))"
            case .arc(let arc): text += self.text(arc)
            }
        }
        return text
    }

    /// SVG names an arc by its end, which can't tell a full turn: arcs are written in parts of at most half a turn.
    private static func text(_ arc: Curve.Arc) -> String {
        let parts = Path.pieceCount(abs(arc.sweep) / (Double.pi * 0.999))
        let radii = "\(Decimal3(abs(arc.radii.width)).text) \(Decimal3(abs(arc.radii.height)).text)"
        let turn = Decimal3(arc.rotation * 180 / Double.pi).text
        return (1...parts).map { part in
            let end = arc.point(at: arc.start + arc.sweep * Double(part) / Double(parts))
            return "A\(radii) \(turn) 0 \(arc.sweep > 0 ? 1 : 0) \(pair(end))"
        }.joined()
    }

    private static func pair(_ point: Point) -> String {
        "\(Decimal3(point.x).text) \(Decimal3(point.y).text)"
    }
}
