extension TraceSession {
    /// Returns a recording of the strokes.
    ///
    /// - Parameters:
    ///   - size: The size of the view, in view units.
    ///   - letter: The name of the expected glyph, if there is one.
    public func recording(size: TraceSize, letter: String? = nil) -> Recording {
        Recording(letter: letter, size: size, threshold: target.threshold, strokes: strokes)
    }

    /// Draws recorded strokes in addition to the existing ones.
    ///
    /// The samples of all strokes are drawn in the order of their times. Samples with the same time or without a time
    /// are drawn in the order of the strokes.
    public mutating func replay(_ strokes: [Recording.Stroke]) {
        let first = firstFreeTouch(of: strokes.count)
        for (stroke, sample, isFirst) in strokes.inOrderOfTime() {
            if isFirst {
                begin(at: sample.point, time: sample.time, touch: first + stroke)
            } else {
                move(to: sample.point, time: sample.time, touch: first + stroke)
            }
        }
        for stroke in strokes.indices { end(touch: first + stroke) }
    }

    /// Returns the first of `count` consecutive identifiers that no touch in progress has.
    private func firstFreeTouch(of count: Int) -> Int {
        var first = 0
        for touch in activeTouches.sorted() where touch >= first && touch - first < count { first = touch &+ 1 }
        // The identifiers after a touch with the largest identifier would overflow.
        return first < 0 ? -1 - count : first
    }
}

extension [Recording.Stroke] {
    /// Returns all samples in the order of time, with the index of their stroke.
    func inOrderOfTime() -> [(stroke: Int, sample: Recording.Sample, isFirst: Bool)] {
        var all: [(time: Double, stroke: Int, index: Int)] = []
        for (number, stroke) in enumerated() {
            // A missing or decreasing time is replaced by the previous time. The samples of a stroke therefore keep
            // their order.
            var time = 0.0
            for (index, sample) in stroke.samples.enumerated() {
                if sample.time > time { time = sample.time }
                all.append((time, number, index))
            }
        }
        all.sort { ($0.time, $0.stroke, $0.index) < ($1.time, $1.stroke, $1.index) }
        return all.map { ($0.stroke, self[$0.stroke].samples[$0.index], $0.index == 0) }
    }
}
