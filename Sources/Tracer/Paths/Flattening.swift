extension Path {
    /// The path that follows a curve, nowhere farther from it than the tolerance.
    ///
    /// - Parameters:
    ///   - curve: Lines, Béziers and arcs.
    ///   - tolerance: In the curve's unit. One that is not positive and finite counts as a thousandth of the distance
    ///     from the curve's start to its end.
    public init(_ curve: Curve, tolerance: Double = 0.05) {
        var points = [curve.start]
        let tolerance =
            tolerance > 0 && tolerance.isFinite ? tolerance : max(1e-9, curve.end.distance(to: curve.start) / 1000)
        for element in curve.elements {
            let start = points[points.count - 1]
            switch element {
            case .line(let to): points.append(to)
            case .quadratic(let control, let to):
                // The same curve with its degree raised.
                let first = start.interpolated(to: control, 2.0 / 3)
                let second = to.interpolated(to: control, 2.0 / 3)
                Self.flatten(start, first, second, to, tolerance, into: &points)
            case .cubic(let control1, let control2, let to):
                Self.flatten(start, control1, control2, to, tolerance, into: &points)
            case .arc(let arc): Self.flatten(arc, tolerance, into: &points)
            }
        }
        self.init(points: points)
    }

    /// More pieces than this are never made of one element.
    static var mostPieces: Int { 4096 }

    /// Equal steps of the parameter, as many as the second differences ask for (Wang's bound).
    private static func flatten(
        _ start: Point, _ control1: Point, _ control2: Point, _ end: Point, _ tolerance: Double,
        into points: inout [Point]
    ) {
        let bend = max((start - control1 * 2 + control2).length, (control1 - control2 * 2 + end).length)
        let count = pieceCount((0.75 * bend / tolerance).squareRoot())
        for step in 1..<max(count, 1) {
            let t = Double(step) / Double(count)
            let a = start.interpolated(to: control1, t)
            let b = control1.interpolated(to: control2, t)
            let c = control2.interpolated(to: end, t)
            let left = a.interpolated(to: b, t)
            points.append(left.interpolated(to: b.interpolated(to: c, t), t))
        }
        points.append(end)
    }

    /// Equal angles, so small that the chord's middle is within the tolerance of the arc.
    private static func flatten(_ arc: Curve.Arc, _ tolerance: Double, into points: inout [Point]) {
        let radius = max(abs(arc.radii.width), abs(arc.radii.height))
        let angle = radius > tolerance ? 2 * Trigonometry.arcCosine(1 - tolerance / radius) : Double.pi / 2
        let count = pieceCount(abs(arc.sweep) / angle)
        for step in 1..<max(count, 1) {
            points.append(arc.point(at: arc.start + arc.sweep * Double(step) / Double(count)))
        }
        points.append(arc.end)
    }

    /// The next whole number, within 1...``mostPieces``; what is not a number counts as too many.
    static func pieceCount(_ exact: Double) -> Int {
        guard exact >= 0, exact < Double(mostPieces) else { return mostPieces }
        let whole = Int(exact)
        return max(1, exact > Double(whole) ? whole + 1 : whole)
    }
}
