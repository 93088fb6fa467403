import Tracer

extension Canvas {
    /// Covers the area within `radius` of a segment, in pixels, with round caps and an anti-aliased edge.
    mutating func cover(_ segment: Segment, radius: Double, opacity: Float) -> PixelArea {
        let reach = radius + 1
        let low = TracePoint(min(segment.start.x, segment.end.x) - reach, min(segment.start.y, segment.end.y) - reach)
        let high = TracePoint(max(segment.start.x, segment.end.x) + reach, max(segment.start.y, segment.end.y) + reach)
        let area = area(from: low, to: high)
        let direction = segment.end - segment.start
        let squared = direction.x * direction.x + direction.y * direction.y
        let inverse = squared > 0 ? 1 / squared : 0
        let outer = (radius + 0.5) * (radius + 0.5)
        let inner = max(0, radius - 0.5) * max(0, radius - 0.5)
        for row in area.rows {
            let y = Double(row) + 0.5 - segment.start.y
            for column in area.left..<area.right {
                let x = Double(column) + 0.5 - segment.start.x
                let share = min(max((x * direction.x + y * direction.y) * inverse, 0), 1)
                let dx = x - direction.x * share
                let dy = y - direction.y * share
                let distance = dx * dx + dy * dy
                guard distance < outer else { continue }
                let covered = distance <= inner ? 1 : Float(radius + 0.5 - distance.squareRoot())
                let index = row * width + column
                coverage[index] = max(coverage[index], covered * opacity)
            }
        }
        return area
    }

    /// Covers a simple polygon, with the exact area of the polygon in each pixel.
    ///
    /// In each row, an edge adds the signed area between itself and the right border. Outside a closed polygon, the
    /// areas cancel out.
    mutating func cover(_ polygon: [TracePoint]) -> PixelArea {
        guard let bounds = TraceRect(around: polygon), polygon.count > 2 else { return .none }
        let area = area(from: bounds.origin, to: bounds.maximum)
        let columns = area.right - area.left
        guard columns > 0 else { return .none }
        for row in area.rows {
            var change = [Float](repeating: 0, count: columns + 2)
            for (start, end) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
                addEdge(start, end, row: Double(row), left: Double(area.left), columns: columns, to: &change)
            }
            var sum: Float = 0
            for column in 0..<columns {
                sum += change[column]
                coverage[row * width + area.left + column] = min(abs(sum), 1)
            }
        }
        return area
    }

    private func addEdge(
        _ start: TracePoint, _ end: TracePoint, row: Double, left: Double, columns: Int, to change: inout [Float]
    ) {
        let sign: Double = start.y < end.y ? 1 : -1
        let (upper, lower) = start.y < end.y ? (start, end) : (end, start)
        let top = max(upper.y, row)
        let bottom = min(lower.y, row + 1)
        guard top < bottom else { return }
        func x(at y: Double) -> Double {
            let share = (y - upper.y) / (lower.y - upper.y)
            return min(max(upper.x + (lower.x - upper.x) * share - left, 0), Double(columns))
        }
        let (a, b) = (x(at: top), x(at: bottom))
        let (first, last) = (min(a, b), max(a, b))
        let height = (bottom - top) * sign
        // The edge crosses the columns from `first` to `last`, each with a part of its height.
        var position = first
        repeat {
            let column = Int(position)
            let next = min(last, Double(column + 1))
            let part = last > first ? height * (next - position) / (last - first) : height
            let middle = (position + next) / 2 - Double(column)
            change[column] += Float(part * (1 - middle))
            change[column + 1] += Float(part * middle)
            position = next
        } while position < last
    }
}
