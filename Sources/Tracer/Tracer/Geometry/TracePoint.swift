/// A point or vector in a view or glyph, with the x axis to the right and the y axis down.
///
/// Coordinates are in view units (points on a screen) unless documented otherwise. Encoded as `[x, y]`.
public struct TracePoint: Sendable, Hashable {
    /// The x coordinate.
    public var x: Double
    /// The y coordinate.
    public var y: Double

    /// Creates a point. Its coordinates are not checked.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package init(_ x: Double, _ y: Double) { self.init(x: x, y: y) }

    /// The origin.
    public static let zero = TracePoint(0, 0)

    /// The largest absolute value of a usable coordinate. The square of larger values would lose precision.
    package static let largestCoordinate = 1e12

    /// A Boolean value that indicates whether the absolute values of both coordinates are at most
    /// ``largestCoordinate``.
    package var isUsable: Bool {
        abs(x) <= Self.largestCoordinate && abs(y) <= Self.largestCoordinate
    }

    /// Returns the distance between two points.
    package func distance(to other: TracePoint) -> Double {
        (other - self).length
    }

    /// Returns the linear interpolation between two points: this point for a share of 0, the other point for 1.
    package func interpolated(to other: TracePoint, _ share: Double) -> TracePoint {
        TracePoint(x + (other.x - x) * share, y + (other.y - y) * share)
    }
}

extension TracePoint {
    /// Returns the sum of two vectors.
    package static func + (a: TracePoint, b: TracePoint) -> TracePoint { TracePoint(a.x + b.x, a.y + b.y) }
    /// Returns the vector from the second point to the first.
    package static func - (a: TracePoint, b: TracePoint) -> TracePoint { TracePoint(a.x - b.x, a.y - b.y) }
    /// Returns the vector multiplied by a factor.
    package static func * (a: TracePoint, scale: Double) -> TracePoint { TracePoint(a.x * scale, a.y * scale) }

    /// The distance from the origin.
    package var length: Double { squaredLength.squareRoot() }

    var squaredLength: Double { x * x + y * y }

    func dot(_ other: TracePoint) -> Double { x * other.x + y * other.y }

    /// Returns the z component of the cross product. It is positive if `other` is clockwise of this vector on the
    /// screen.
    func cross(_ other: TracePoint) -> Double { x * other.y - y * other.x }
}

extension TracePoint: CustomStringConvertible {
    public var description: String { "(\(x), \(y))" }
}

#if !hasFeature(Embedded)
    extension TracePoint: Codable {
        /// - Throws: `DecodingError` for anything but a list of two numbers.
        public init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            self.init(try values.decode(Double.self), try values.decode(Double.self))
            guard values.isAtEnd else {
                throw DecodingError.dataCorruptedError(in: values, debugDescription: "expected [x, y]")
            }
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(x)
            try values.encode(y)
        }
    }
#endif
