/// Width and height, never negative in what this library makes.
public struct Size: Sendable, Hashable, Codable {
    /// In view units.
    public var width: Double
    /// In view units.
    public var height: Double

    /// A size by width and height, in view units.
    public init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }
}

/// An upright rectangle by its corner with the smallest coordinates and its size.
public struct Rect: Sendable, Hashable, Codable {
    /// The corner with the smallest coordinates, in view units.
    public var origin: Point
    /// In view units.
    public var size: Size

    /// A rectangle by its corner with the smallest coordinates and its size.
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// A rectangle by its smallest coordinates and its size, all in view units.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x, y), size: Size(width, height))
    }

    /// The smallest rectangle around the points; points with unusable coordinates are left out. Nil without points.
    public init?(around points: some Sequence<Point>) {
        var low = Point(.infinity, .infinity)
        var high = Point(-.infinity, -.infinity)
        for point in points where point.isUsable {
            low = Point(min(low.x, point.x), min(low.y, point.y))
            high = Point(max(high.x, point.x), max(high.y, point.y))
        }
        guard low.x <= high.x else { return nil }
        self.init(origin: low, size: Size(high.x - low.x, high.y - low.y))
    }

    /// The corner with the largest coordinates.
    public var maximum: Point { Point(origin.x + size.width, origin.y + size.height) }
    /// The point in the middle.
    public var center: Point { Point(origin.x + size.width / 2, origin.y + size.height / 2) }

    /// The rectangle smaller by `distance` on each side, of zero size at its centre when nothing would be left.
    public func inset(by distance: Double) -> Rect {
        let width = max(0, size.width - 2 * distance)
        let height = max(0, size.height - 2 * distance)
        return Rect(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
    }

    /// Where a key point's picture goes: a square as wide as the threshold, centred on the point.
    public static func keyPointFrame(threshold: Double, around point: Point) -> Rect {
        Rect(x: point.x - threshold / 2, y: point.y - threshold / 2, width: threshold, height: threshold)
    }
}
