/// The cues of a picture that show a child where and how to draw.
public struct TraceCues: OptionSet, Sendable, Hashable {
    /// The bits of the cues in the set.
    public let rawValue: Int

    /// Creates a set of cues from its bits. Unknown bits have no effect.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The lines of a writing book: the base line is the strongest, and the middle line is dashed.
    public static let writingLines = TraceCues(rawValue: 1)
    /// A ring at the end of each stroke.
    public static let ends = TraceCues(rawValue: 2)
    /// An arrow at the beginning of each stroke, and more where a stroke goes back over itself.
    public static let arrows = TraceCues(rawValue: 4)
    /// A dot at the start of each stroke.
    public static let starts = TraceCues(rawValue: 8)
    /// The number of each stroke, beside its start. Glyphs with more than 99 strokes have no numbers.
    public static let numbers = TraceCues(rawValue: 16)
    /// The point at which ordered mode continues, with an arrow, on top of the lines.
    public static let next = TraceCues(rawValue: 32)
    /// All cues.
    public static let all: TraceCues = [.writingLines, .ends, .arrows, .starts, .numbers, .next]
}

extension TracePicture {
    /// Returns the items of ``cues`` for the expected paths, in the order of the first of the permitted orders.
    ///
    /// - Parameters:
    ///   - target: The expected paths.
    ///   - size: The size of the view, in view units.
    ///   - next: The points of an arrow that is shown as well, and replaces those that it would cover.
    package func cueItems(
        of target: TraceTarget, size: TraceSize, besides next: [TracePoint] = []
    ) -> [DisplayList.Item] {
        let unit = target.threshold
        let paths = target.pathsInOrder.filter { !$0.points.isEmpty }
        let arrows = ArrowLayout(of: paths, unit: unit).arrows
        var items: [DisplayList.Item] = []
        if cues.contains(.ends) {
            for path in paths where path.length > 0 {
                guard let last = path.points.last else { continue }
                items.append(
                    .stroke(points: Self.circle(at: last, radius: 0.66 * unit), width: 0.14 * unit, color: endColor))
            }
        }
        if cues.contains(.arrows) {
            items += arrows.filter { !$0.isCovered(by: next, unit: unit) }.map {
                .strokes([$0.shaft, $0.head], width: 0.16 * unit, color: cueColor)
            }
        }
        if cues.contains(.starts) {
            for path in paths { items.append(.stroke(points: [path.points[0]], width: 1.04 * unit, color: cueColor)) }
        }
        if cues.contains(.numbers), paths.count <= 99 { items += numbers(of: paths, beside: arrows, target, size) }
        return items
    }

    /// Returns the lines of a writing book within the view. They are below all other items.
    package func writingLineItems(of target: TraceTarget, size: TraceSize) -> [DisplayList.Item] {
        guard cues.contains(.writingLines) else { return [] }
        let lines = target.writingLines
        let base = Glyph.baseline(of: lines)
        return lines.indices.filter { lines[$0] >= 0 && lines[$0] <= size.height }.map { index in
            let y = lines[index]
            if let base, index > 0, y < base {
                let dash = 2 * target.threshold
                // Strides of numbers with fractions need a function that WebAssembly lacks.
                let starts = (0...ArrowLayout.count(size.width / dash)).map { Double($0) * dash }
                let dashes = starts.filter { $0 < size.width }.map { x in
                    [TracePoint(x, y), TracePoint(min(x + 0.6 * dash, size.width), y)]
                }
                return .strokes(dashes, width: 1.5, color: writingLineColor)
            }
            let ends = [TracePoint(0, y), TracePoint(size.width, y)]
            return .stroke(points: ends, width: y == base ? 3 : 1.5, color: writingLineColor)
        }
    }

    /// Returns the point at which ordered mode continues, with an arrow along the path. Returns an empty array in free mode
    /// and at the end.
    package func nextItems(of session: TraceSession) -> [DisplayList.Item] {
        let part = session.nextPartOfStroke
        guard cues.contains(.next), let point = part.first else { return [] }
        let unit = session.target.threshold
        var items = [DisplayList.Item.stroke(points: [point], width: 0.6 * unit, color: cueColor)]
        if let arrow = ArrowLayout.Arrow(along: part, unit: unit) {
            items.append(.strokes([arrow.shaft, arrow.head], width: 0.2 * unit, color: cueColor))
        }
        return items
    }

    /// Returns a mark over an expected path, for a hint.
    package func hintItems(of target: TraceTarget, path: Int) -> [DisplayList.Item] {
        guard target.paths.indices.contains(path) else { return [] }
        var color = cueColor
        color.alpha = 110
        return [.stroke(points: target.paths[path].points, width: target.threshold, color: color)]
    }

    private static func circle(at center: TracePoint, radius: Double) -> [TracePoint] {
        (0...24).map { step in
            let (sine, cosine) = Trigonometry.sineAndCosine(Double(step) / 12 * Double.pi)
            return TracePoint(center.x + radius * cosine, center.y + radius * sine)
        }
    }

    /// Returns the numbers, each beside its start: behind it if there is room, else around it. Where strokes start
    /// together, each number is beside the arrow of its stroke, on the side away from the others.
    private func numbers(
        of paths: [TracePath], beside arrows: [ArrowLayout.Arrow], _ target: TraceTarget, _ size: TraceSize
    ) -> [DisplayList.Item] {
        let unit = target.threshold
        let height = 0.9 * unit
        let starts = paths.map { $0.points[0] }
        let ends = paths.compactMap { $0.length > 0 ? $0.points.last : nil }
        let backs = zip(starts, paths).map { start, path in
            let ahead = path.part(from: 0, to: unit).last ?? start
            let length = start.distance(to: ahead)
            return length > 0 ? (start - ahead) * (1 / length) : TracePoint(-1, 0)
        }
        var centers: [TracePoint] = []
        for (index, (start, back)) in zip(starts, backs).enumerated() {
            var places = [1.45, 1.8, 2.15].flatMap { distance in
                [0, 45, -45, 90, -90, 135, -135].map { degrees -> TracePoint in
                    let turn = TraceTransform.rotation(radians: degrees * Double.pi / 180)
                    return start + turn.apply(to: back) * (distance * unit)
                }
            }
            let others = starts.indices.filter { $0 != index && starts[$0].distance(to: start) < unit / 2 }
            if !others.isEmpty {
                let away = others.reduce(TracePoint(0, 0)) { $0 + backs[$1] - back }
                let side = TracePoint(-back.y, back.x) * (1.45 * unit)
                let tip = start - back * (1.9 * unit)
                places = (side.dot(away) > 0 ? [tip + side, tip - side] : [tip - side, tip + side]) + places
            }
            func isFree(_ place: TracePoint) -> Bool {
                let isInside =
                    place.x >= height / 2 && place.y >= height / 2 && place.x <= size.width - height / 2
                    && place.y <= size.height - height / 2
                return isInside && !centers.contains { $0.distance(to: place) < 1.3 * height }
                    && !starts.contains { $0.distance(to: place) < 1.4 * unit }
                    && !ends.contains { $0.distance(to: place) < 1.35 * unit }
                    && !arrows.contains { $0.distance(to: place) < 0.68 * unit }
            }
            let place = places.first { isFree($0) && !target.index.contains($0) } ?? places.first(where: isFree)
            centers.append(place ?? places[0])
        }
        return centers.enumerated().map { .number($0.offset + 1, center: $0.element, height: height, color: cueColor) }
    }
}

extension TraceTarget {
    /// The expected paths in the first of the permitted orders, each in its drawing direction.
    var pathsInOrder: [TracePath] {
        (orders.first?.steps ?? []).map { $0.isReversed ? paths[$0.path].reversed() : paths[$0.path] }
    }
}

extension TracePath {
    /// Returns the points of the part between two distances from the start, including both ends. Returns the single
    /// point of a dot.
    func part(from low: Double, to high: Double) -> [TracePoint] {
        guard points.count > 1 else { return points }
        var part: [TracePoint] = []
        var position = 0.0
        for segment in segments {
            let length = segment.length
            let (first, last) = (max(low - position, 0), min(high - position, length))
            if length > 0, first <= last {
                if part.isEmpty { part.append(segment.point(at: first / length)) }
                part.append(segment.point(at: last / length))
            }
            position += length
            if position >= high { break }
        }
        return part.isEmpty ? Array(points.suffix(1)) : part
    }
}
