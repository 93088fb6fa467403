/// The recorded strokes of a trace, to save and replay.
///
/// Encoded as
///
///     {"tracer": 1, "letter": "T", "width": 320, "height": 400, "threshold": 20, "strokes": [[[x, y, seconds], …], …]}
public struct Recording: Sendable, Hashable {
    /// A position of the pen. Encoded as `[x, y, seconds]`. The time may be missing in the encoded form.
    public struct Sample: Sendable, Hashable {
        /// The position in view units.
        public var point: TracePoint
        /// The time in seconds since the start of the trace.
        public var time: Double

        /// Creates a sample from a position in view units and a time in seconds.
        public init(_ point: TracePoint, time: Double = 0) {
            self.point = point
            self.time = time
        }
    }

    /// The samples of one touch.
    public struct Stroke: Sendable, Hashable {
        /// The samples in the order of time.
        public var samples: [Sample]

        /// Creates a stroke from its samples in the order of time.
        public init(samples: [Sample]) {
            self.samples = samples
        }
    }

    /// The version of the encoded form.
    package static let format = 1

    /// The name of the expected glyph, if there is one.
    public var letter: String?
    /// The size of the view, in view units.
    public var size: TraceSize
    /// The threshold, in view units.
    public var threshold: Double
    /// The strokes in the order of their first samples.
    public var strokes: [Stroke]

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - letter: The name of the expected glyph, if there is one.
    ///   - size: The size of the view, in view units.
    ///   - threshold: The threshold, in view units.
    ///   - strokes: The strokes in the order of their first samples.
    public init(letter: String? = nil, size: TraceSize, threshold: Double, strokes: [Stroke]) {
        self.letter = letter
        self.size = size
        self.threshold = threshold
        self.strokes = strokes
    }
}
