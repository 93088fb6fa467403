/// A color in sRGB, with components and opacity from 0 to 255.
public struct TraceColor: Sendable, Hashable, Codable {
    /// The red component.
    public var red: UInt8
    /// The green component.
    public var green: UInt8
    /// The blue component.
    public var blue: UInt8
    /// The opacity, from 0 (transparent) to 255 (opaque).
    public var alpha: UInt8

    /// Creates a color, which is opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }
}

/// A picture as a list of shapes, independent of a resolution. Later shapes are on top.
public struct DisplayList: Sendable, Hashable {
    /// A shape, in the unit of the size of the display list.
    public enum Item: Sendable, Hashable {
        /// A line with round caps and joins; a single point is a disc.
        case stroke(points: [TracePoint], width: Double, color: TraceColor)
        /// Lines with round caps and joins as a single shape: where they cross, a translucent color is drawn once.
        case strokes([[TracePoint]], width: Double, color: TraceColor)
        /// A filled simple polygon.
        case fill(polygon: [TracePoint], color: TraceColor)
        /// An image that is stretched to fill a frame.
        case image(PNGImage, frame: TraceRect)
        /// A number that is not negative, centered on a point. Its digits are `height` high; a terminal writes
        /// them as text, other outputs draw them.
        case number(Int, center: TracePoint, height: Double, color: TraceColor)

        /// The item without numbers: a number is converted to strokes, and other items are unchanged.
        package var shapes: [Item] {
            guard case .number(let number, let center, let height, let color) = self else { return [self] }
            return [.strokes(DigitShapes.lines(number, at: center, height: height), width: height * 0.16, color: color)]
        }

        /// Returns the transformed item. Line widths and images are scaled by the transform's ``TraceTransform/scale``;
        /// images are not rotated.
        package func transformed(by transform: TraceTransform) -> Item {
            switch self {
            case .stroke(let points, let width, let color):
                .stroke(points: points.map(transform.apply), width: width * transform.scale, color: color)
            case .strokes(let lines, let width, let color):
                .strokes(lines.map { $0.map(transform.apply) }, width: width * transform.scale, color: color)
            case .number(let number, let center, let height, let color):
                .number(number, center: transform.apply(to: center), height: height * transform.scale, color: color)
            case .fill(let polygon, let color): .fill(polygon: polygon.map(transform.apply), color: color)
            case .image(let image, let frame):
                .image(
                    image,
                    frame: TraceRect(
                        origin: transform.apply(to: frame.origin),
                        size: TraceSize(frame.size.width * transform.scale, frame.size.height * transform.scale)))
            }
        }
    }

    /// The size of the picture, whose origin is (0, 0).
    public var size: TraceSize
    /// The background color, or `nil` for a transparent background.
    public var background: TraceColor?
    /// The shapes. Later shapes are on top.
    public var items: [Item]

    /// Creates a display list.
    public init(size: TraceSize, background: TraceColor? = nil, items: [Item] = []) {
        self.size = size
        self.background = background
        self.items = items
    }
}

/// Numbers as lines. The digits are those of the alphabet.
private enum DigitShapes {
    static func lines(_ number: Int, at center: TracePoint, height: Double) -> [[TracePoint]] {
        // The digits are 100 units high, and 30 units apart.
        let scale = height / 100
        var lines: [[TracePoint]] = []
        var x = 0.0
        for digit in digits(of: number) {
            let paths = Alphabet.digits[digit].paths(tolerance: 1)
            guard let bounds = TraceRect(around: paths.flatMap { $0.points }) else { continue }
            lines += paths.map { $0.points.map { TracePoint($0.x - bounds.origin.x + x, $0.y - 50) } }
            x += bounds.size.width + 30
        }
        let half = (x - 30) / 2
        return lines.map { $0.map { TracePoint(center.x + ($0.x - half) * scale, center.y + $0.y * scale) } }
    }

    private static func digits(of number: Int) -> [Int] {
        let (rest, last) = number.magnitude.quotientAndRemainder(dividingBy: 10)
        return (rest > 0 ? digits(of: Int(rest)) : []) + [Int(last)]
    }
}
