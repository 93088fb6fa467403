/// One continuous stroke of lines, Bézier curves and elliptic arcs.
///
///     let bowl = Curve(at: Point(0, 0)).line(to: Point(30, 0)).arc(around: Point(30, 25), radius: 25, from: -90, to: 90)
public struct Curve: Sendable, Hashable {
    /// What a stroke goes on with from where it is.
    public enum Element: Sendable, Hashable {
        /// A straight line.
        case line(to: Point)
        /// A Bézier curve of the second degree.
        case quadratic(control: Point, to: Point)
        /// A Bézier curve of the third degree.
        case cubic(control1: Point, control2: Point, to: Point)
        /// A part of an ellipse, which starts where the stroke is.
        case arc(Arc)
    }

    /// A part of an ellipse.
    public struct Arc: Sendable, Hashable {
        /// The middle of the ellipse.
        public var center: Point
        /// Half the width and half the height before rotation.
        public var radii: Size
        /// The turn of the ellipse, clockwise on the screen, in radians.
        public var rotation: Double
        /// Where the arc starts, in radians clockwise from the ellipse's own x axis.
        public var start: Double
        /// How far it goes, in radians, positive clockwise.
        public var sweep: Double

        /// An arc by its centre, with angles in radians, clockwise on the screen.
        public init(center: Point, radii: Size, rotation: Double = 0, start: Double, sweep: Double) {
            self.center = center
            self.radii = radii
            self.rotation = rotation
            self.start = start
            self.sweep = sweep
        }

        /// The point of the ellipse at an angle in radians.
        public func point(at angle: Double) -> Point {
            let (sine, cosine) = Trigonometry.sineAndCosine(angle)
            let flat = Point(radii.width * cosine, radii.height * sine)
            guard rotation != 0 else { return center + flat }
            return center + Transform.rotation(radians: rotation).apply(to: flat)
        }

        /// Where it ends.
        public var end: Point { point(at: start + sweep) }
    }

    /// Where the pen comes down, in the unit of the glyph or view.
    public var start: Point
    /// What follows, each from the end of the one before.
    public private(set) var elements: [Element] = []
    /// Where the stroke ends so far.
    public private(set) var end: Point

    /// A dot, to be continued.
    public init(at start: Point) {
        self.start = start
        end = start
    }

    /// This stroke, and then an element. An arc that does not start at ``end`` is joined to it by a line.
    public func adding(_ element: Element) -> Curve {
        var curve = self
        switch element {
        case .line(let to), .quadratic(_, let to), .cubic(_, _, let to): curve.end = to
        case .arc(let arc):
            let first = arc.point(at: arc.start)
            if first.distance(to: end) > 1e-9 * max(1, first.length) { curve.elements.append(.line(to: first)) }
            curve.end = arc.end
        }
        curve.elements.append(element)
        return curve
    }

    /// This stroke, and then a line.
    public func line(to point: Point) -> Curve { adding(.line(to: point)) }

    /// This stroke, and then a Bézier curve of the second degree.
    public func quadratic(_ control: Point, to point: Point) -> Curve {
        adding(.quadratic(control: control, to: point))
    }

    /// This stroke, and then a Bézier curve of the third degree.
    public func cubic(_ control1: Point, _ control2: Point, to point: Point) -> Curve {
        adding(.cubic(control1: control1, control2: control2, to: point))
    }

    /// Adds an upright arc between two angles in degrees, clockwise on the screen from the x axis; going from a larger
    /// to a smaller angle draws it counter-clockwise.
    public func arc(around center: Point, radii: Size, from: Double, to: Double) -> Curve {
        let degree = Double.pi / 180
        return adding(.arc(Arc(center: center, radii: radii, start: from * degree, sweep: (to - from) * degree)))
    }

    /// Adds an arc of a circle between two angles in degrees, clockwise on the screen from the x axis.
    public func arc(around center: Point, radius: Double, from: Double, to: Double) -> Curve {
        arc(around: center, radii: Size(radius, radius), from: from, to: to)
    }
}
