/// The appearance of a trace: the expected paths as a wide guide, a star at each key point, and the lines in their
/// colors.
public struct TracePicture: Sendable {
    /// The background color; `nil` for none.
    public var background: TraceColor? = TraceColor(255, 255, 255)
    /// An image behind the guide, scaled to fit into the view.
    public var backgroundImage: PNGImage?
    /// The color of the expected paths.
    public var guide = TraceColor(222, 226, 230)
    /// The color of the key points; `nil` for none.
    public var star: TraceColor? = TraceColor(255, 183, 3)
    /// An image for key points instead of a star, in a square as wide as the threshold.
    public var keyPointImage: PNGImage?
    /// The width of lines in view units.
    public var lineWidth = 4.0
    /// Returns the color of a line, or `nil` to omit the line.
    public var color: @Sendable (TracedLine, LineColor) -> TraceColor? = { _, color in TracePicture.standard(color) }
    /// Returns items for the expected paths in place of the guide, but not of the key points.
    public var drawExpected: (@Sendable (TraceTarget) -> [DisplayList.Item])?
    /// Returns items for a line with a color: `nil` for the default, an empty list to omit the line.
    public var drawLine: (@Sendable (TracedLine, TraceColor) -> [DisplayList.Item]?)?

    /// Creates the default appearance.
    public init() {}

    /// Returns the default color for a line color: nearly black, red, green or amber.
    public static func standard(_ color: LineColor) -> TraceColor {
        switch color {
        case .black: TraceColor(33, 37, 41)
        case .red: TraceColor(214, 40, 40)
        case .green: TraceColor(46, 160, 67)
        case .amber: TraceColor(224, 133, 0)
        }
    }

    /// Returns the picture of a trace.
    ///
    /// - Parameters:
    ///   - session: The trace.
    ///   - size: The size of the view that the session's coordinates belong to.
    public func displayList(of session: TraceSession, size: TraceSize) -> DisplayList {
        var list = displayList(of: session.target, size: size)
        list.items += lines(of: session)
        return list
    }

    /// Returns the picture of the expected paths and key points, without lines.
    public func displayList(of target: TraceTarget, size: TraceSize) -> DisplayList {
        let threshold = target.settings.threshold
        var items: [DisplayList.Item] = []
        if let backgroundImage {
            let frame = backgroundImage.aspectFit(into: TraceRect(origin: .zero, size: size))
            items.append(.image(backgroundImage, frame: frame))
        }
        items +=
            drawExpected?(target)
            ?? target.paths.filter { !$0.points.isEmpty }.map {
                DisplayList.Item.stroke(points: $0.points, width: 2 * threshold, color: guide)
            }
        for point in target.keyPoints {
            if let keyPointImage {
                items.append(.image(keyPointImage, frame: .keyPointFrame(threshold: threshold, around: point)))
            } else if let star {
                items.append(.fill(polygon: Self.starPolygon(at: point, threshold: threshold), color: star))
            }
        }
        return DisplayList(size: size, background: background, items: items)
    }

    /// Returns a Boolean value that indicates whether two appearances draw the same guide; `false` if either has a
    /// ``drawExpected`` closure, as closures cannot be compared.
    func hasSameGuide(as other: TracePicture) -> Bool {
        drawExpected == nil && other.drawExpected == nil && background == other.background && guide == other.guide
            && star == other.star && backgroundImage == other.backgroundImage && keyPointImage == other.keyPointImage
    }

    /// Returns the items of the lines; adjacent lines of the same stroke and color are combined into one.
    func lines(of session: TraceSession) -> [DisplayList.Item] {
        guard let drawLine else {
            return runs(of: session, longest: .max).map {
                .stroke(points: $0.points, width: lineWidth, color: $0.color)
            }
        }
        return session.lines.flatMap { line -> [DisplayList.Item] in
            guard let color = color(line, session.color(of: line)) else { return [] }
            let ends = [line.segment.start, line.segment.end]
            return drawLine(line, color) ?? [.stroke(points: ends, width: lineWidth, color: color)]
        }
    }

    /// A part of a stroke in a single color.
    struct Run {
        let stroke: Int
        let color: TraceColor
        var points: [TracePoint]
        let start: Double
        var end: Double
    }

    /// Returns the lines in drawing order with their times, with at most `longest` lines in a run.
    func runs(of session: TraceSession, longest: Int) -> [Run] {
        var runs: [Run] = []
        var drawn = Array(repeating: 0, count: session.strokes.count)
        var isBroken = true
        for line in session.lines {
            let index = drawn[line.stroke]
            drawn[line.stroke] += 1
            guard let color = color(line, session.color(of: line)) else {
                isBroken = true
                continue
            }
            let samples = session.strokes[line.stroke].samples
            if let last = runs.last, !isBroken, last.stroke == line.stroke, last.color == color,
                last.points.last == line.segment.start, last.points.count <= longest
            {
                if line.segment.end != line.segment.start { runs[runs.count - 1].points.append(line.segment.end) }
                runs[runs.count - 1].end = samples[index].time
            } else {
                let ends = [line.segment.start] + (line.segment.end != line.segment.start ? [line.segment.end] : [])
                runs.append(
                    Run(
                        stroke: line.stroke, color: color, points: ends, start: samples[max(0, index - 1)].time,
                        end: samples[index].time))
            }
            isBroken = false
        }
        return runs
    }

    /// Returns a five-pointed star within the frame of a key point.
    static func starPolygon(at center: TracePoint, threshold: Double) -> [TracePoint] {
        (0..<10).map { corner in
            let (sine, cosine) = Trigonometry.sineAndCosine((Double(corner) / 5 - 0.5) * Double.pi)
            let radius = threshold / 2 * (corner.isMultiple(of: 2) ? 1 : 0.42)
            return TracePoint(center.x + radius * cosine, center.y + radius * sine)
        }
    }
}
