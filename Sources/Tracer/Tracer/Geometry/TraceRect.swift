/// A width and a height, in view units.
public struct TraceSize: Sendable, Hashable, Codable {
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// Creates a size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The size without width and height.
    public static let zero = TraceSize(0, 0)

    package init(_ width: Double, _ height: Double) { self.init(width: width, height: height) }
}

/// An axis-aligned rectangle, in view units.
public struct TraceRect: Sendable, Hashable, Codable {
    /// The corner with the smallest coordinates.
    public var origin: TracePoint
    /// The size.
    public var size: TraceSize

    /// Creates a rectangle from its origin and size.
    public init(origin: TracePoint, size: TraceSize) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle from the coordinates of its origin and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: TracePoint(x, y), size: TraceSize(width, height))
    }

    /// Creates the smallest rectangle that contains all usable points, or returns `nil` if there are none.
    package init?(around points: some Sequence<TracePoint>) {
        var low = TracePoint(.infinity, .infinity)
        var high = TracePoint(-.infinity, -.infinity)
        for point in points where point.isUsable {
            low = TracePoint(min(low.x, point.x), min(low.y, point.y))
            high = TracePoint(max(high.x, point.x), max(high.y, point.y))
        }
        guard low.x <= high.x else { return nil }
        self.init(origin: low, size: TraceSize(high.x - low.x, high.y - low.y))
    }

    /// The corner with the largest coordinates.
    package var maximum: TracePoint { TracePoint(origin.x + size.width, origin.y + size.height) }
    /// The center.
    package var center: TracePoint { TracePoint(origin.x + size.width / 2, origin.y + size.height / 2) }

    /// Returns the rectangle reduced by `distance` on each side, with a width or height of at least zero.
    package func inset(by distance: Double) -> TraceRect {
        let width = max(0, size.width - 2 * distance)
        let height = max(0, size.height - 2 * distance)
        return TraceRect(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
    }

    /// The coordinates of the origin, the width and the height.
    var numbers: [Double] { [origin.x, origin.y, size.width, size.height] }

    /// Creates a rectangle from its ``numbers``, or returns `nil` unless it has an area.
    init?(numbers: [Double]) {
        guard numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        guard hasArea else { return nil }
    }

    /// A Boolean value that indicates whether the rectangle has a width and a height, and usable coordinates.
    var hasArea: Bool { size.width > 0 && size.height > 0 && origin.isUsable && maximum.isUsable }

    /// Returns the smallest rectangle that contains both rectangles.
    func union(_ other: TraceRect) -> TraceRect {
        TraceRect(around: [origin, maximum, other.origin, other.maximum]) ?? self
    }

    /// Returns a Boolean value that indicates whether two rectangles have a point in common.
    func intersects(_ other: TraceRect) -> Bool {
        origin.x <= other.maximum.x && other.origin.x <= maximum.x && origin.y <= other.maximum.y
            && other.origin.y <= maximum.y
    }

    /// Returns the frame of the image of a key point: a square as wide as the threshold, centered on the point.
    package static func keyPointFrame(threshold: Double, around point: TracePoint) -> TraceRect {
        TraceRect(x: point.x - threshold / 2, y: point.y - threshold / 2, width: threshold, height: threshold)
    }
}
