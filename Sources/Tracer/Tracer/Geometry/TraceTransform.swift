/// An affine transform: `x' = a x + c y + tx`, `y' = b x + d y + ty`.
package struct TraceTransform: Sendable, Hashable {
    /// The coefficient of x in x'.
    package var a: Double
    /// The coefficient of x in y'.
    package var b: Double
    /// The coefficient of y in x'.
    package var c: Double
    /// The coefficient of y in y'.
    package var d: Double
    /// The horizontal translation, in view units.
    package var tx: Double
    /// The vertical translation, in view units.
    package var ty: Double

    /// Creates a transform from its coefficients.
    package init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The identity transform.
    package static let identity = TraceTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Returns a translation by an offset, in view units.
    package static func translation(_ offset: TracePoint) -> TraceTransform {
        TraceTransform(a: 1, b: 0, c: 0, d: 1, tx: offset.x, ty: offset.y)
    }

    /// Returns a uniform scaling about the origin.
    package static func scale(_ factor: Double) -> TraceTransform {
        TraceTransform(a: factor, b: 0, c: 0, d: factor, tx: 0, ty: 0)
    }

    /// Returns a rotation about the origin, clockwise on the screen.
    package static func rotation(radians: Double) -> TraceTransform {
        let (sine, cosine) = Trigonometry.sineAndCosine(radians)
        return TraceTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// The scale factor of lengths. For a transform that isn't uniform, it is the geometric mean.
    package var scale: Double { abs(a * d - b * c).squareRoot() }

    /// Returns the composition of this transform and `next`, which is applied second.
    package func then(_ next: TraceTransform) -> TraceTransform {
        let origin = next.apply(to: TracePoint(tx, ty))
        return TraceTransform(
            a: next.a * a + next.c * b, b: next.b * a + next.d * b,
            c: next.a * c + next.c * d, d: next.b * c + next.d * d, tx: origin.x, ty: origin.y)
    }

    /// Returns the inverse transform, or `nil` if there is none.
    package func inverted() -> TraceTransform? {
        let area = a * d - b * c
        guard area != 0, area.isFinite else { return nil }
        let (a, b, c, d) = (d / area, -b / area, -c / area, self.a / area)
        return TraceTransform(a: a, b: b, c: c, d: d, tx: -(a * tx + c * ty), ty: -(b * tx + d * ty))
    }

    /// Returns the transformed point.
    package func apply(to point: TracePoint) -> TracePoint {
        TracePoint(a * point.x + c * point.y + tx, b * point.x + d * point.y + ty)
    }

    /// Returns the transform that scales `content` to fit into `frame`, centered and with its aspect ratio preserved.
    ///
    /// If the content has no width or no height, only its other dimension determines the scale. If there is no finite
    /// scale greater than zero, the transform only aligns the centers.
    package static func aspectFit(_ content: TraceRect, into frame: TraceRect) -> TraceTransform {
        let horizontal = frame.size.width / content.size.width
        let vertical = frame.size.height / content.size.height
        let fitting = min(horizontal.isNaN ? .infinity : horizontal, vertical.isNaN ? .infinity : vertical)
        let factor = fitting.isFinite && fitting > 0 ? fitting : 1
        let center = content.center
        let target = frame.center
        guard center.isUsable, target.isUsable else { return .identity }
        return TraceTransform(
            a: factor, b: 0, c: 0, d: factor, tx: target.x - factor * center.x, ty: target.y - factor * center.y)
    }
}
