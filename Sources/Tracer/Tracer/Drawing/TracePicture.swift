/// The appearance of a trace: the expected paths as a wide guide, a star at each key point, cues, and the lines in
/// their colors.
public struct TracePicture: Sendable {
    /// The brightness of the surroundings.
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        /// Dark lines on white.
        case light
        /// Light lines on nearly black.
        case dark
    }

    /// The background color, or `nil` for a transparent background.
    public var backgroundColor: TraceColor?
    /// An image behind the guide, scaled to fit into the view.
    public var backgroundImage: PNGImage?
    /// The color of the expected paths. Over an image it is translucent, with at most 60 percent of its opacity.
    public var guideColor: TraceColor
    /// The color of the key points, or `nil` to omit them.
    public var keyPointColor: TraceColor?
    /// The cues that show where and how to draw.
    public var cues = TraceCues.all
    /// The color of start dots, arrows, numbers and hints.
    public var cueColor: TraceColor
    /// The color of the rings at the ends of strokes.
    public var endColor: TraceColor
    /// The color of the writing lines.
    public var writingLineColor: TraceColor
    /// An image for key points instead of a star, in a square as wide as the threshold.
    public var keyPointImage: PNGImage?
    /// The width of lines in view units.
    public var lineWidth = 4.0
    /// The object that decides how lines and the guide are drawn. The picture keeps it.
    public var delegate: (any TracePictureDelegate)?
    private let scheme: Scheme
    /// The color of all lines, for a demonstration.
    var lineColor: TraceColor?

    /// Creates the default appearance.
    public init(_ scheme: Scheme = .light) {
        self.scheme = scheme
        let isDark = scheme == .dark
        backgroundColor = isDark ? TraceColor(22, 24, 27) : TraceColor(255, 255, 255)
        guideColor = isDark ? TraceColor(58, 64, 71) : TraceColor(222, 226, 230)
        keyPointColor = isDark ? TraceColor(224, 161, 0) : TraceColor(255, 183, 3)
        cueColor = isDark ? TraceColor(116, 179, 255) : TraceColor(28, 109, 208)
        endColor = isDark ? TraceColor(163, 171, 178) : TraceColor(108, 117, 125)
        writingLineColor = isDark ? TraceColor(52, 72, 98) : TraceColor(190, 210, 235)
    }

    /// Returns the default color of a line: nearly black (white in dark mode), red, green or amber.
    public func standardColor(_ color: TracedLine.Color) -> TraceColor {
        switch (color, scheme) {
        case (.black, .light): TraceColor(33, 37, 41)
        case (.red, .light): TraceColor(214, 40, 40)
        case (.green, .light): TraceColor(46, 160, 67)
        case (.amber, .light): TraceColor(224, 133, 0)
        case (.black, .dark): TraceColor(241, 243, 245)
        case (.red, .dark): TraceColor(255, 107, 107)
        case (.green, .dark): TraceColor(81, 207, 102)
        case (.amber, .dark): TraceColor(255, 169, 77)
        }
    }

    /// Returns the picture of a trace.
    ///
    /// - Parameters:
    ///   - session: The trace.
    ///   - size: The size of the view that the session's coordinates belong to.
    public func displayList(of session: TraceSession, size: TraceSize) -> DisplayList {
        var list = displayList(
            of: session.target, size: size, besides: cues.contains(.next) ? session.nextPartOfStroke : [])
        list.items += lines(of: session) + nextItems(of: session)
        return list
    }

    /// Returns the picture of the expected paths with key points and cues, without lines.
    public func displayList(of target: TraceTarget, size: TraceSize) -> DisplayList {
        displayList(of: target, size: size, besides: [])
    }

    private func displayList(of target: TraceTarget, size: TraceSize, besides next: [TracePoint]) -> DisplayList {
        let threshold = target.threshold
        var items: [DisplayList.Item] = []
        if let backgroundImage {
            let frame = backgroundImage.aspectFit(into: TraceRect(origin: .zero, size: size))
            items.append(.image(backgroundImage, frame: frame))
        }
        items += writingLineItems(of: target, size: size)
        items +=
            delegate?.picture(self, guideItemsFor: target) ?? [
                .strokes(target.paths.map { $0.points }, width: 2 * threshold, color: shownGuideColor)
            ]
        for point in target.keyPoints {
            if let keyPointImage {
                items.append(.image(keyPointImage, frame: .keyPointFrame(threshold: threshold, around: point)))
            } else if let keyPointColor {
                items.append(.fill(polygon: Self.starPolygon(at: point, threshold: threshold), color: keyPointColor))
            }
        }
        items += cueItems(of: target, size: size, besides: next)
        return DisplayList(size: size, background: backgroundColor, items: items)
    }

    /// The color of the guide, through which a background image is visible.
    private var shownGuideColor: TraceColor {
        guard backgroundImage != nil else { return guideColor }
        var color = guideColor
        color.alpha = UInt8(Int(guideColor.alpha) * 3 / 5)
        return color
    }

    /// Returns the color of a line, or `nil` if the line is not drawn.
    package func color(of line: TracedLine, as color: TracedLine.Color) -> TraceColor? {
        if let lineColor { return lineColor }
        guard let delegate else { return standardColor(color) }
        return delegate.picture(self, shouldDraw: line) ? delegate.picture(self, colorOf: line, as: color) : nil
    }

    /// Returns the items of the lines. Combines adjacent lines of the same stroke and color.
    func lines(of session: TraceSession) -> [DisplayList.Item] {
        runs(of: session, longest: .max).flatMap { run in
            run.items ?? [.stroke(points: run.points, width: lineWidth, color: run.color)]
        }
    }

    /// A part of a stroke in a single color.
    struct Run {
        let stroke: Int
        let color: TraceColor
        /// The color after the trace was completed, if that color is different.
        var finalColor: TraceColor?
        var points: [TracePoint]
        let start: Double
        var end: Double
        /// The items of a line that the delegate draws.
        var items: [DisplayList.Item]?
    }

    /// Returns the lines in drawing order with their times, with at most `longest` lines in a run.
    ///
    /// - Parameter isReplay: A Boolean value that indicates whether lines have the color in which they were drawn.
    func runs(of session: TraceSession, longest: Int, isReplay: Bool = false) -> [Run] {
        var runs: [Run] = []
        var drawn = Array(repeating: 0, count: session.strokes.count)
        var isBroken = true
        let completion = isReplay ? session.completionLine : nil
        for (number, line) in session.lines.enumerated() {
            let index = drawn[line.stroke]
            drawn[line.stroke] += 1
            let isEarlier = completion.map { number < $0 && line.verdict == .onPath } ?? false
            let last = color(of: line, as: session.color(of: line))
            guard let shown = isEarlier ? color(of: line, as: .black) : last else {
                isBroken = true
                continue
            }
            let final = isEarlier && last != shown ? last : nil
            let samples = session.strokes[line.stroke].samples
            let items = delegate?.picture(self, itemsFor: line, color: shown)
            if items == nil, let run = runs.last, !isBroken, run.stroke == line.stroke, run.color == shown,
                run.finalColor == final,
                run.points.last == line.segment.start, run.points.count <= longest
            {
                if line.segment.end != line.segment.start { runs[runs.count - 1].points.append(line.segment.end) }
                runs[runs.count - 1].end = samples[index].time
            } else {
                let ends = [line.segment.start] + (line.segment.end != line.segment.start ? [line.segment.end] : [])
                runs.append(
                    Run(
                        stroke: line.stroke, color: shown, finalColor: final, points: ends,
                        start: samples[max(0, index - 1)].time, end: samples[index].time, items: items))
            }
            isBroken = items != nil
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

/// An object that decides how the lines and the guide of a picture are drawn. Each method has a default, which draws as a
/// picture without a delegate does.
public protocol TracePictureDelegate: AnyObject, Sendable {
    /// Returns the color of a line.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - line: The line.
    ///   - color: The meaning of the color, for which ``TracePicture/standardColor(_:)`` is the default.
    func picture(_ picture: TracePicture, colorOf line: TracedLine, as color: TracedLine.Color) -> TraceColor

    /// Returns a Boolean value that indicates whether a line is drawn.
    func picture(_ picture: TracePicture, shouldDraw line: TracedLine) -> Bool

    /// Returns the items that are drawn for a line, or `nil` for the default.
    func picture(_ picture: TracePicture, itemsFor line: TracedLine, color: TraceColor) -> [DisplayList.Item]?

    /// Returns the items that replace the guide, but not the key points and cues, or `nil` for the default.
    func picture(_ picture: TracePicture, guideItemsFor target: TraceTarget) -> [DisplayList.Item]?
}

extension TracePictureDelegate {
    /// Returns ``TracePicture/standardColor(_:)``.
    public func picture(_ picture: TracePicture, colorOf line: TracedLine, as color: TracedLine.Color) -> TraceColor {
        picture.standardColor(color)
    }

    /// Returns `true`.
    public func picture(_ picture: TracePicture, shouldDraw line: TracedLine) -> Bool { true }

    /// Returns `nil`.
    public func picture(
        _ picture: TracePicture, itemsFor line: TracedLine, color: TraceColor
    ) -> [DisplayList.Item]? { nil }

    /// Returns `nil`.
    public func picture(_ picture: TracePicture, guideItemsFor target: TraceTarget) -> [DisplayList.Item]? { nil }
}
