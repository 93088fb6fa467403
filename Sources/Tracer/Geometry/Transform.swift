/// An affine map: `x' = a x + c y + tx`, `y' = b x + d y + ty`.
public struct Transform: Sendable, Hashable, Codable {
    /// What the new x takes of x.
    public var a: Double
    /// What the new y takes of x.
    public var b: Double
    /// What the new x takes of y.
    public var c: Double
    /// What the new y takes of y.
    public var d: Double
    /// What is added to x, in view units.
    public var tx: Double
    /// What is added to y, in view units.
    public var ty: Double

    /// A map by its coefficients: `a` to `d` without unit, `tx` and `ty` in view units.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The map that changes nothing.
    public static let identity = Transform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Moves every point by an offset, in view units.
    public static func translation(_ offset: Point) -> Transform {
        Transform(a: 1, b: 0, c: 0, d: 1, tx: offset.x, ty: offset.y)
    }

    /// Multiplies all distances from the origin by a factor.
    public static func scale(_ factor: Double) -> Transform {
        Transform(a: factor, b: 0, c: 0, d: factor, tx: 0, ty: 0)
    }

    /// A turn about the origin, clockwise on the screen.
    public static func rotation(radians: Double) -> Transform {
        let (sine, cosine) = Trigonometry.sineAndCosine(radians)
        return Transform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// By how much lengths grow; the mean for a map that stretches.
    public var scale: Double { abs(a * d - b * c).squareRoot() }

    /// This map, then another.
    public func then(_ next: Transform) -> Transform {
        let origin = next.apply(to: Point(tx, ty))
        return Transform(
            a: next.a * a + next.c * b, b: next.b * a + next.d * b,
            c: next.a * c + next.c * d, d: next.b * c + next.d * d, tx: origin.x, ty: origin.y)
    }

    /// The map back; nil for one that flattens everything onto a line.
    public func inverted() -> Transform? {
        let area = a * d - b * c
        guard area != 0, area.isFinite else { return nil }
        let (a, b, c, d) = (d / area, -b / area, -c / area, self.a / area)
        return Transform(a: a, b: b, c: c, d: d, tx: -(a * tx + c * ty), ty: -(b * tx + d * ty))
    }

    /// Where a point comes to lie.
    public func apply(to point: Point) -> Point {
        Point(a * point.x + c * point.y + tx, b * point.x + d * point.y + ty)
    }

    /// The map that stretches `content` to fill `frame`. Where one of them has no width or height, or is not finite, it is
    /// only moved in that direction, the middles onto each other.
    public static func fill(_ content: Rect, into frame: Rect) -> Transform {
        func factor(_ target: Double, _ length: Double) -> Double {
            let factor = target / length
            return factor.isFinite && factor > 0 ? factor : 1
        }
        let center = content.center
        let target = frame.center
        guard center.isUsable, target.isUsable else { return .identity }
        let (x, y) = (factor(frame.size.width, content.size.width), factor(frame.size.height, content.size.height))
        return Transform(a: x, b: 0, c: 0, d: y, tx: target.x - x * center.x, ty: target.y - y * center.y)
    }

    /// The map that puts `content` as large as it fits into `frame`, centred, its proportions kept.
    ///
    /// Content without width or height is only moved and, in its other direction, scaled. A frame without room, or
    /// either one not finite, gives the map that moves the centres onto each other.
    public static func aspectFit(_ content: Rect, into frame: Rect) -> Transform {
        let horizontal = frame.size.width / content.size.width
        let vertical = frame.size.height / content.size.height
        let fitting = min(horizontal.isNaN ? .infinity : horizontal, vertical.isNaN ? .infinity : vertical)
        let factor = fitting.isFinite && fitting > 0 ? fitting : 1
        let center = content.center
        let target = frame.center
        guard center.isUsable, target.isUsable else { return .identity }
        return Transform(
            a: factor, b: 0, c: 0, d: factor, tx: target.x - factor * center.x, ty: target.y - factor * center.y)
    }
}
