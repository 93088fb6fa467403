extension TraceSession {
    /// What was drawn, to keep.
    ///
    /// - Parameters:
    ///   - size: The size of the view the touches came from, in view units.
    ///   - letter: The glyph that was to be traced, if it is one.
    public func recording(size: Size, letter: String? = nil) -> Recording {
        Recording(letter: letter, size: size, threshold: target.settings.threshold, strokes: strokes)
    }

    /// Draws recorded strokes on top of what is there. Samples of strokes that overlap in time are drawn in the order of
    /// their times; where times are missing or the same, strokes follow each other.
    public mutating func replay(_ strokes: [Recording.Stroke]) {
        let first = 1 + (activeTouches.max() ?? -1)
        for (stroke, sample, isFirst) in strokes.inOrderOfTime() {
            if isFirst {
                begin(at: sample.point, time: sample.time, touch: first + stroke)
            } else {
                move(to: sample.point, time: sample.time, touch: first + stroke)
            }
        }
        for stroke in strokes.indices { end(touch: first + stroke) }
    }
}

extension [Recording.Stroke] {
    /// All samples with the number of their stroke.
    func inOrderOfTime() -> [(stroke: Int, sample: Recording.Sample, isFirst: Bool)] {
        var all: [(time: Double, stroke: Int, place: Int)] = []
        for (number, stroke) in enumerated() {
            // A time that is missing, or goes back, counts as the one before: a stroke keeps its own order.
            var time = 0.0
            for (place, sample) in stroke.samples.enumerated() {
                if sample.time > time { time = sample.time }
                all.append((time, number, place))
            }
        }
        all.sort { ($0.time, $0.stroke, $0.place) < ($1.time, $1.stroke, $1.place) }
        return all.map { ($0.stroke, self[$0.stroke].samples[$0.place], $0.place == 0) }
    }
}
