/// A colour in sRGB; the components and the opacity are 0...255.
public struct Color: Sendable, Hashable, Codable {
    /// 0...255.
    public var red: UInt8
    /// 0...255.
    public var green: UInt8
    /// 0...255.
    public var blue: UInt8
    /// The opacity, 0...255.
    public var alpha: UInt8

    /// A colour by red, green and blue, opaque unless said otherwise; all 0...255.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}

/// A picture as a list of shapes, later ones on top. What draws it decides about pixels.
public struct DisplayList: Sendable, Hashable {
    /// One shape of a picture, in the unit of the list's size.
    public enum Item: Sendable, Hashable {
        /// A line with round ends and joins. One point alone is a disc.
        case stroke(points: [Point], width: Double, color: Color)
        /// A closed outline that does not cross itself, filled.
        case fill(polygon: [Point], color: Color)
        /// A picture that fills a frame, stretched if need be.
        case image(PNGImage, frame: Rect)

        /// The item elsewhere; widths and pictures grow with the map's scale. Pictures stay upright.
        public func transformed(by transform: Transform) -> Item {
            switch self {
            case .stroke(let points, let width, let color):
                .stroke(points: points.map(transform.apply), width: width * transform.scale, color: color)
            case .fill(let polygon, let color): .fill(polygon: polygon.map(transform.apply), color: color)
            case .image(let image, let frame):
                .image(
                    image,
                    frame: Rect(
                        origin: transform.apply(to: frame.origin),
                        size: Size(frame.size.width * transform.scale, frame.size.height * transform.scale)))
            }
        }
    }

    /// In the unit of the coordinates; the picture shows (0, 0) to this.
    public var size: Size
    /// What is behind everything; nil for nothing.
    public var background: Color?
    /// The shapes, later ones on top.
    public var items: [Item]

    /// A picture of a size, by default an empty one.
    public init(size: Size, background: Color? = nil, items: [Item] = []) {
        self.size = size
        self.background = background
        self.items = items
    }
}
