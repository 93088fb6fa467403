import Tracer

/// The colors of a picture at the points of a grid. Later items are on top.
struct SampleGrid: Sendable {
    private let columns: Int
    private let rows: Int
    /// The distance between adjacent samples. The first sample is half of it from the edge.
    private let spacing: TraceSize
    private var samples: [TraceColor?]

    init(columns: Int, rows: Int, spacing: TraceSize) {
        self.columns = columns
        self.rows = rows
        self.spacing = spacing
        samples = Array(repeating: nil, count: columns * rows)
    }

    /// The color of a sample, or `nil` if no item covers it.
    subscript(column: Int, row: Int) -> TraceColor? { samples[row * columns + column] }

    /// Draws an item. Widens lines, so that no line falls between two samples.
    mutating func draw(_ item: DisplayList.Item, isColored: Bool) {
        let slack = min(spacing.width, spacing.height) / 2
        switch item {
        case .stroke(let points, let width, let color): draw(points, reach: max(width / 2, slack), color)
        case .strokes(let lines, let width, let color):
            for points in lines { draw(points, reach: max(width / 2, slack), color) }
        case .number: break
        // At this size a star is drawn as a dot.
        case .fill(let polygon, let color):
            draw(TraceRect(around: polygon).map { [$0.center] } ?? [], reach: slack * 1.2, color)
        case .image(let image, let frame): draw(image, in: frame, isColored: isColored)
        }
    }

    private mutating func draw(_ points: [TracePoint], reach: Double, _ color: TraceColor) {
        for segment in TracePath(points: points.filter(\.isUsable)).segments {
            for row in Self.range(segment.start.y, segment.end.y, reach, spacing.height, rows) {
                for column in Self.range(segment.start.x, segment.end.x, reach, spacing.width, columns)
                where segment.distance(to: point(column, row)) <= reach {
                    samples[row * columns + column] = color
                }
            }
        }
    }

    /// Returns the rows or columns within `reach` of a line from `a` to `b`.
    private static func range(_ a: Double, _ b: Double, _ reach: Double, _ step: Double, _ count: Int) -> Range<Int> {
        let low = min(max((min(a, b) - reach) / step - 1, 0), Double(count))
        let high = min(max((max(a, b) + reach) / step + 1, 0), Double(count))
        return low < high ? Int(low)..<Int(high) : 0..<0
    }

    private func point(_ column: Int, _ row: Int) -> TracePoint {
        TracePoint((Double(column) + 0.5) * spacing.width, (Double(row) + 0.5) * spacing.height)
    }

    /// Draws an image. Without color, draws only its dark pixels.
    private mutating func draw(_ image: PNGImage, in frame: TraceRect, isColored: Bool) {
        let size = frame.size
        guard size.width > 0, size.height > 0, let source = try? PNG.decode(image) else { return }
        let spread = (
            spacing.width / size.width * Double(source.width), spacing.height / size.height * Double(source.height)
        )
        for index in samples.indices {
            let point = self.point(index % columns, index / columns)
            let x = (point.x - frame.origin.x) / size.width
            let y = (point.y - frame.origin.y) / size.height
            guard (0...1).contains(x), (0...1).contains(y) else { continue }
            let color = source.color(x: x, y: y, spread: spread)
            guard color.3 >= 128 else { continue }
            func byte(_ value: Float) -> UInt8 { UInt8(min(255, value * 255 / color.3 + 0.5)) }
            let shown = TraceColor(byte(color.0), byte(color.1), byte(color.2))
            if isColored || shown.brightness < 128_000 { samples[index] = shown }
        }
    }
}
