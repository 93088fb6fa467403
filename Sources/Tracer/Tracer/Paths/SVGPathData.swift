/// Functions that read and write path data: the `d` attribute of SVG 1.1, section 8.3, with all commands.
public enum SVGPathData {
    /// A syntax error in path data.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The byte offset in the UTF-8 of the data.
        public let offset: Int
        /// The message, such as "expected a number".
        public let description: String
    }

    /// Returns a curve for each subpath. `z` closes a subpath with a line. A move without any other command is no curve.
    ///
    /// - Throws: ``Failure`` for the first syntax error.
    public static func parse(_ data: String) throws(Failure) -> [Curve] {
        var parser = SVGPathParser(Array(data.utf8))
        return try parser.curves()
    }

    /// Returns the path data of the curves, with absolute commands and up to three decimals.
    package static func text(_ curves: [Curve]) -> String {
        curves.map(text).joined()
    }

    private static func text(_ curve: Curve) -> String {
        var text = "M\(pair(curve.start))"
        // A dot is drawn only if another command follows the move.
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

    /// Returns arc commands of less than half a turn each. An SVG arc is defined by its ends and cannot be a full
    /// circle.
    private static func text(_ arc: Curve.Arc) -> String {
        let parts = TracePath.segmentCount(abs(arc.sweep) / (Double.pi * 0.999))
        let radii = "\(Decimal3(abs(arc.radii.width)).text) \(Decimal3(abs(arc.radii.height)).text)"
        let turn = Decimal3(arc.rotation * 180 / Double.pi).text
        return (1...parts).map { part in
            let end = arc.point(at: arc.start + arc.sweep * Double(part) / Double(parts))
            return "A\(radii) \(turn) 0 \(arc.sweep > 0 ? 1 : 0) \(pair(end))"
        }.joined()
    }

    private static func pair(_ point: TracePoint) -> String {
        "\(Decimal3(point.x).text) \(Decimal3(point.y).text)"
    }
}
