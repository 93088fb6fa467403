/// A place in a view or in a glyph's own box. The x axis points right, the y axis down.
///
/// Coordinates are in view units (points on a screen) unless a declaration says otherwise. Coded as `[x, y]`.
public struct Point: Sendable, Hashable {
    /// In view units, growing to the right.
    public var x: Double
    /// In view units, growing downwards.
    public var y: Double

    /// A point with any coordinates; ``isUsable`` tells whether they make sense.
    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    public static let zero = Point(0, 0)

    /// Coordinates beyond this, in either direction, are refused everywhere: their squares must stay representable.
    public static let largestCoordinate = 1e12

    /// Whether both coordinates are finite and within ``largestCoordinate``.
    public var isUsable: Bool {
        abs(x) <= Self.largestCoordinate && abs(y) <= Self.largestCoordinate
    }

    /// The distance between two points, in the unit of their coordinates.
    public func distance(to other: Point) -> Double {
        (other - self).length
    }

    /// The point a share of the way to another: 0 is this point, 1 the other.
    public func interpolated(to other: Point, _ share: Double) -> Point {
        Point(x + (other.x - x) * share, y + (other.y - y) * share)
    }
}

extension Point {
    /// The sum, coordinate by coordinate.
    public static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
    /// The vector from the second point to the first.
    public static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
    /// Both coordinates times a factor.
    public static func * (a: Point, scale: Double) -> Point { Point(a.x * scale, a.y * scale) }

    /// The distance from the origin.
    public var length: Double { squaredLength.squareRoot() }

    var squaredLength: Double { x * x + y * y }

    func dot(_ other: Point) -> Double { x * other.x + y * other.y }

    /// The z component of the cross product: positive when `other` lies clockwise of this vector on the screen.
    func cross(_ other: Point) -> Double { x * other.y - y * other.x }
}

extension Point: Codable {
    /// - Throws: `DecodingError` for what is not a list of two numbers.
    public init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        self.init(try values.decode(Double.self), try values.decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(x)
        try values.encode(y)
    }
}

extension Point: CustomStringConvertible {
    public var description: String { "(\(x), \(y))" }
}
