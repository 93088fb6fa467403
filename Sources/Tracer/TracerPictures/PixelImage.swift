/// An image of pixels in RGBA with premultiplied alpha.
package struct PixelImage: Sendable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The pixels row by row, with four bytes each: red, green, blue and opacity.
    package let pixels: [UInt8]

    /// Returns the color at a point, given as shares 0...1 of width and height. The color is interpolated between
    /// pixels, or the average of an area if `spread`, the size of the area in pixels, is larger than a pixel.
    func color(x: Double, y: Double, spread: (Double, Double)) -> (Float, Float, Float, Float) {
        let (columns, rows) = (min(8, max(1, Int(spread.0.rounded()))), min(8, max(1, Int(spread.1.rounded()))))
        var sum = SIMD4<Float>.zero
        for row in 0..<rows {
            for column in 0..<columns {
                let dx = ((Double(column) + 0.5) / Double(columns) - 0.5) * spread.0
                let dy = ((Double(row) + 0.5) / Double(rows) - 0.5) * spread.1
                sum += between(x * Double(width) + dx - 0.5, y * Double(height) + dy - 0.5)
            }
        }
        sum /= Float(columns * rows)
        return (sum[0], sum[1], sum[2], sum[3])
    }

    private func between(_ x: Double, _ y: Double) -> SIMD4<Float> {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (right, lower) = (Float(x - left), Float(y - top))
        func pixel(_ column: Double, _ row: Double) -> SIMD4<Float> {
            let column = Int(min(max(column, 0), Double(width - 1)))
            let row = Int(min(max(row, 0), Double(height - 1)))
            let base = (row * width + column) * 4
            return SIMD4(
                Float(pixels[base]), Float(pixels[base + 1]), Float(pixels[base + 2]), Float(pixels[base + 3]))
        }
        let above = pixel(left, top) * (1 - right) + pixel(left + 1, top) * right
        let below = pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right
        return above * (1 - lower) + below * lower
    }
}
