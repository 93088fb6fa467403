package import Tracer

/// A canvas for display lists with anti-aliasing. Drawing an item modifies only the pixels that it covers.
package struct Canvas: Sendable {
    let width: Int
    let height: Int
    /// The number of pixels per unit of the display list.
    let scale: Double
    /// The pixels row by row, in RGBA with premultiplied alpha.
    package private(set) var pixels: [UInt8]
    /// The share of each pixel that the current item covers, 0...1; zero between items.
    var coverage: [Float]

    /// The maximum width and height in pixels.
    static let largestSide = 16_384

    /// Creates a transparent canvas, with its width and height rounded up to whole pixels, at least one.
    ///
    /// - Throws: ``TooLarge`` if a side would be longer than ``largestSide``.
    package init(size: TraceSize, scale: Double = 1) throws(TooLarge) {
        let scale = scale.isFinite && scale > 0 ? scale : 1
        width = try Self.pixels(size.width, scale, of: size)
        height = try Self.pixels(size.height, scale, of: size)
        self.scale = scale
        pixels = Array(repeating: 0, count: width * height * 4)
        coverage = Array(repeating: 0, count: width * height)
    }

    /// Creates a canvas with a display list, at a scale in pixels per unit.
    ///
    /// - Throws: ``TooLarge`` if a side would be longer than ``largestSide``.
    package init(_ list: DisplayList, scale: Double = 1) throws(TooLarge) {
        try self.init(size: list.size, scale: scale)
        if let background = list.background { fill(with: background) }
        for item in list.items { draw(item) }
    }

    private static func pixels(_ length: Double, _ scale: Double, of size: TraceSize) throws(TooLarge) -> Int {
        let pixels = (length * scale).rounded(.up)
        // A length that is negative or NaN results in one pixel.
        guard pixels >= 1 else { return 1 }
        guard pixels <= Double(largestSide) else { throw TooLarge(size: size, scale: scale) }
        return Int(pixels)
    }

    /// An error for a picture with a side that is longer than ``largestSide``.
    package struct TooLarge: Error, CustomStringConvertible {
        fileprivate let size: TraceSize
        fileprivate let scale: Double

        /// The largest scale at which the picture fits, rounded down to three decimals unless it is very small.
        package var largestScale: Double {
            let exact = Double(largestSide) / max(size.width, size.height)
            return exact < 1 ? exact * (1 - 1e-9) : (exact * 1000).rounded(.down) / 1000
        }

        package var description: String {
            "a picture of \(size.width * scale) by \(size.height * scale) pixels is too large; a side has at most"
                + " \(largestSide)"
        }
    }

    /// Draws a color over the entire canvas.
    package mutating func fill(with color: TraceColor) {
        let area = PixelArea(left: 0, top: 0, right: width, bottom: height)
        for index in coverage.indices { coverage[index] = 1 }
        paint(area, color)
    }

    /// Draws an item on top of the existing ones.
    package mutating func draw(_ item: DisplayList.Item) {
        switch item {
        case .stroke(let points, let width, let color): draw([points], width, color)
        case .strokes(let lines, let width, let color): draw(lines, width, color)
        case .number: for shape in item.shapes { draw(shape) }
        case .fill(let polygon, let color):
            paint(cover(polygon.filter(\.isUsable).map { $0 * scale }), color)
        case .image(let image, let frame): draw(image, in: frame)
        }
    }

    /// Draws lines as a single shape.
    private mutating func draw(_ lines: [[TracePoint]], _ lineWidth: Double, _ color: TraceColor) {
        let radius = lineWidth * scale / 2
        guard radius > 0, radius.isFinite else { return }
        // A line thinner than a pixel is drawn with a width of one pixel and less opacity.
        let opacity = min(1, 2 * radius)
        var area = PixelArea.none
        for points in lines {
            for segment in TracePath(points: points.filter(\.isUsable)).segments {
                let start = segment.start * scale
                let end = segment.end * scale
                area.include(cover(Segment(start, end), radius: max(radius, 0.5), opacity: Float(opacity)))
            }
        }
        paint(area, color)
    }

    /// Draws an image. Omits an image that cannot be decoded.
    private mutating func draw(_ image: PNGImage, in frame: TraceRect) {
        let (low, high) = (frame.origin * scale, frame.maximum * scale)
        guard low.isUsable, high.isUsable, high.x > low.x, high.y > low.y, let source = try? PNG.decode(image) else {
            return
        }
        let area = area(from: low, to: high)
        let size = TracePoint(high.x - low.x, high.y - low.y)
        let spread = (Double(source.width) / size.x, Double(source.height) / size.y)
        func covered(_ pixel: Int, _ low: Double, _ high: Double) -> Double {
            max(0, min(Double(pixel + 1), high) - max(Double(pixel), low))
        }
        for row in area.rows {
            for column in area.left..<area.right {
                let share = Float(covered(row, low.y, high.y) * covered(column, low.x, high.x))
                let point = TracePoint(Double(column) + 0.5 - low.x, Double(row) + 0.5 - low.y)
                let color = source.color(x: point.x / size.x, y: point.y / size.y, spread: spread)
                let base = (row * width + column) * 4
                let rest = 1 - color.3 / 255 * share
                for (offset, value) in [color.0, color.1, color.2, color.3].enumerated() {
                    let mixed = Float(pixels[base + offset]) * rest + value * share
                    pixels[base + offset] = UInt8(min(255, mixed + 0.5))
                }
            }
        }
    }

    func area(from low: TracePoint, to high: TracePoint) -> PixelArea {
        func limited(_ value: Double, _ limit: Int) -> Int { Int(min(max(value, 0), Double(limit))) }
        return PixelArea(
            left: limited(low.x.rounded(.down), width), top: limited(low.y.rounded(.down), height),
            right: limited(high.x.rounded(.up), width), bottom: limited(high.y.rounded(.up), height))
    }

    /// Draws a color over the covered pixels of an area, and resets the coverage.
    private mutating func paint(_ area: PixelArea, _ color: TraceColor) {
        let opacity = Float(color.alpha) / 255
        let source = (Float(color.red), Float(color.green), Float(color.blue))
        for row in area.rows {
            for index in (row * width + area.left)..<(row * width + area.right) {
                let alpha = min(coverage[index], 1) * opacity
                coverage[index] = 0
                guard alpha > 0 else { continue }
                let base = index * 4
                func mix(_ offset: Int, _ value: Float) {
                    pixels[base + offset] = UInt8(Float(pixels[base + offset]) * (1 - alpha) + value * alpha + 0.5)
                }
                mix(0, source.0)
                mix(1, source.1)
                mix(2, source.2)
                mix(3, 255)
            }
        }
    }
}

/// A rectangle of whole pixels, excluding `right` and `bottom`.
struct PixelArea {
    var left, top, right, bottom: Int

    static let none = PixelArea(left: .max, top: .max, right: 0, bottom: 0)

    var rows: Range<Int> { top < bottom && left < right ? top..<bottom : 0..<0 }

    mutating func include(_ other: PixelArea) {
        left = min(left, other.left)
        top = min(top, other.top)
        right = max(right, other.right)
        bottom = max(bottom, other.bottom)
    }
}
