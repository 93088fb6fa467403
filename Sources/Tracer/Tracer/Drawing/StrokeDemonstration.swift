/// A demonstration of a letter, which draws the strokes in order.
public struct StrokeDemonstration: Sendable {
    /// The strokes with their times, in seconds from the start of the demonstration.
    public let strokes: [Recording.Stroke]
    /// The duration in seconds.
    public let duration: Double

    /// Creates the demonstration of the first of the permitted orders.
    ///
    /// - Parameters:
    ///   - target: The expected paths.
    ///   - speed: The speed of the pen, in thresholds per second; 10 if the value isn't positive and finite.
    ///   - pause: The time between two strokes, in seconds; 0.4 if the value is negative or not finite.
    public init(_ target: TraceTarget, speed: Double = 10, pause: Double = 0.4) {
        let pace = target.threshold * (speed > 0 && speed.isFinite ? speed : 10)
        let pause = pause >= 0 && pause.isFinite ? pause : 0.4
        var time = 0.0
        var strokes: [Recording.Stroke] = []
        for path in target.pathsInOrder where !path.points.isEmpty {
            if !strokes.isEmpty { time += pause }
            var samples = [Recording.Sample(path.points[0], time: time)]
            for segment in path.segments where segment.length > 0 {
                time += segment.length / pace
                samples.append(Recording.Sample(segment.end, time: time))
            }
            strokes.append(Recording.Stroke(samples: samples))
        }
        self.strokes = strokes
        duration = time
    }

    /// Returns the parts of the strokes that are drawn at a time, in seconds. The last point of the last part is the
    /// position of the pen.
    public func lines(at time: Double) -> [[TracePoint]] {
        strokes.lazy.filter { $0.samples[0].time <= time }.map { stroke in
            var points = stroke.samples.prefix { $0.time <= time }.map { $0.point }
            if points.count < stroke.samples.count {
                let (last, next) = (stroke.samples[points.count - 1], stroke.samples[points.count])
                points.append(last.point.interpolated(to: next.point, (time - last.time) / (next.time - last.time)))
            }
            return points
        }
    }
}

extension TracePicture {
    /// Returns a frame of a demonstration: the guide, the strokes up to a time in seconds, and the pen.
    package func displayList(
        of demonstration: StrokeDemonstration, at time: Double, on target: TraceTarget, size: TraceSize
    ) -> DisplayList {
        var list = displayList(of: target, size: size)
        let unit = target.threshold
        let lines = demonstration.lines(at: time)
        list.items.append(.strokes(lines, width: 0.4 * unit, color: cueColor))
        if let pen = lines.last?.last, time < demonstration.duration {
            list.items.append(.stroke(points: [pen], width: 1.2 * unit, color: cueColor))
        }
        return list
    }

    /// Returns an SVG document in which the strokes are drawn in order.
    ///
    /// If the user prefers reduced motion, the document shows the finished picture.
    public func demonstrationSVG(of target: TraceTarget, size: TraceSize, speed: Double = 10) -> String {
        var picture = self
        picture.lineColor = cueColor
        picture.lineWidth = 0.4 * target.threshold
        var session = TraceSession(target: target)
        session.replay(StrokeDemonstration(target, speed: speed).strokes)
        return picture.replaySVG(of: session, size: size)
    }
}
