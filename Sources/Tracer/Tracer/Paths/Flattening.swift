extension TracePath {
    /// Creates a path that approximates a curve.
    ///
    /// - Parameters:
    ///   - curve: The curve.
    ///   - tolerance: The maximum distance from the curve, in its unit. A value that isn't positive and finite is
    ///     replaced by a thousandth of the distance between the ends of the curve. An element has at most 4096
    ///     segments, even if the distance then exceeds a very small tolerance.
    public init(_ curve: Curve, tolerance: Double = 0.05) {
        var points = [curve.start]
        let tolerance =
            tolerance > 0 && tolerance.isFinite ? tolerance : max(1e-9, curve.end.distance(to: curve.start) / 1000)
        for element in curve.elements {
            let start = points[points.count - 1]
            switch element {
            case .line(let to): points.append(to)
            case .quadratic(let control, let to):
                // Degree elevation: the same curve as a cubic one.
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

    /// The maximum number of segments for an element.
    static var maximumSegments: Int { 4096 }

    /// Appends points at equal steps of the parameter. Their number follows from the second differences (Wang's
    /// formula).
    private static func flatten(
        _ start: TracePoint, _ control1: TracePoint, _ control2: TracePoint, _ end: TracePoint, _ tolerance: Double,
        into points: inout [TracePoint]
    ) {
        let bend = max((start - control1 * 2 + control2).length, (control1 - control2 * 2 + end).length)
        let count = segmentCount((0.75 * bend / tolerance).squareRoot())
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

    /// Appends points at equal angles. The midpoint of each chord is within the tolerance of the arc.
    private static func flatten(_ arc: Curve.Arc, _ tolerance: Double, into points: inout [TracePoint]) {
        let radius = max(abs(arc.radii.width), abs(arc.radii.height))
        let angle = radius > tolerance ? 2 * Trigonometry.arcCosine(1 - tolerance / radius) : Double.pi / 2
        let count = segmentCount(abs(arc.sweep) / angle)
        for step in 1..<max(count, 1) {
            points.append(arc.point(at: arc.start + arc.sweep * Double(step) / Double(count)))
        }
        points.append(arc.end)
    }

    /// Returns the value rounded up and clamped to 1...``maximumSegments``. Returns the maximum for a negative value or
    /// NaN.
    static func segmentCount(_ exact: Double) -> Int {
        guard exact >= 0, exact < Double(maximumSegments) else { return maximumSegments }
        let whole = Int(exact)
        return max(1, exact > Double(whole) ? whole + 1 : whole)
    }
}
