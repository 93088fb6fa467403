/// A continuous stroke of lines, Bézier curves and elliptic arcs.
///
///     let bowl = Curve(at: TracePoint(x: 0, y: 0)).line(to: TracePoint(x: 30, y: 0)).arc(around: TracePoint(x: 30, y: 25), radius: 25, from: -90, to:
///     90)
public struct Curve: Sendable, Hashable {
    /// An element of a stroke, which starts at the end of the previous one.
    package enum Element: Sendable, Hashable {
        /// A straight line.
        case line(to: TracePoint)
        /// A quadratic Bézier curve.
        case quadratic(control: TracePoint, to: TracePoint)
        /// A cubic Bézier curve.
        case cubic(control1: TracePoint, control2: TracePoint, to: TracePoint)
        /// An elliptic arc.
        case arc(Arc)
    }

    /// An elliptic arc.
    package struct Arc: Sendable, Hashable {
        /// The center of the ellipse.
        package var center: TracePoint
        /// The radii along the x and y axes before rotation.
        package var radii: TraceSize
        /// The rotation of the ellipse, clockwise on the screen, in radians.
        package var rotation: Double
        /// The start angle, in radians clockwise from the x axis of the ellipse.
        package var start: Double
        /// The angle from start to end, in radians; positive clockwise.
        package var sweep: Double

        /// Creates an arc, with angles in radians, clockwise on the screen.
        package init(center: TracePoint, radii: TraceSize, rotation: Double = 0, start: Double, sweep: Double) {
            self.center = center
            self.radii = radii
            self.rotation = rotation
            self.start = start
            self.sweep = sweep
        }

        /// Returns the point of the ellipse at an angle in radians.
        package func point(at angle: Double) -> TracePoint {
            let (sine, cosine) = Trigonometry.sineAndCosine(angle)
            let flat = TracePoint(radii.width * cosine, radii.height * sine)
            guard rotation != 0 else { return center + flat }
            return center + TraceTransform.rotation(radians: rotation).apply(to: flat)
        }

        /// The end point.
        package var end: TracePoint { point(at: start + sweep) }
    }

    /// The start point, in the unit of the glyph or view.
    package var start: TracePoint
    /// The elements, each of which starts at the end of the previous one.
    package private(set) var elements: [Element] = []
    /// The end point.
    package private(set) var end: TracePoint

    /// Creates a dot: a stroke without elements.
    public init(at start: TracePoint) {
        self.start = start
        end = start
    }

    /// Returns the stroke with an element appended. An arc that doesn't start at ``end`` is connected to it by a line.
    package func adding(_ element: Element) -> Curve {
        var curve = self
        curve.append(element)
        return curve
    }

    /// Appends an element in place, in constant time.
    mutating func append(_ element: Element) {
        switch element {
        case .line(let to), .quadratic(_, let to), .cubic(_, _, let to): end = to
        case .arc(let arc):
            let first = arc.point(at: arc.start)
            if first.distance(to: end) > 1e-9 * max(1, first.length) { elements.append(.line(to: first)) }
            end = arc.end
        }
        elements.append(element)
    }

    /// Returns the stroke with a line appended.
    public func line(to point: TracePoint) -> Curve { adding(.line(to: point)) }

    /// Returns the stroke with a quadratic Bézier curve appended.
    public func quadratic(to point: TracePoint, control: TracePoint) -> Curve {
        adding(.quadratic(control: control, to: point))
    }

    /// Returns the stroke with a cubic Bézier curve appended.
    public func cubic(to point: TracePoint, control1: TracePoint, control2: TracePoint) -> Curve {
        adding(.cubic(control1: control1, control2: control2, to: point))
    }

    /// Returns the stroke with an arc of an axis-aligned ellipse appended, between two angles in degrees, clockwise on
    /// the screen from the x axis. An arc to a smaller angle is drawn counterclockwise.
    public func arc(around center: TracePoint, radii: TraceSize, from: Double, to: Double) -> Curve {
        let degree = Double.pi / 180
        return adding(.arc(Arc(center: center, radii: radii, start: from * degree, sweep: (to - from) * degree)))
    }

    /// Returns the stroke with a circular arc appended, between two angles in degrees, clockwise on the screen from the
    /// x axis.
    public func arc(around center: TracePoint, radius: Double, from: Double, to: Double) -> Curve {
        arc(around: center, radii: TraceSize(radius, radius), from: from, to: to)
    }
}
