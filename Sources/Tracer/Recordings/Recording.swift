/// A trace as it was drawn, to keep, to replay, to judge again.
///
/// Coded as
///
///     {"tracer": 1, "letter": "T", "width": 320, "height": 400, "threshold": 20, "strokes": [[[x, y, seconds], …], …]}
public struct Recording: Sendable, Hashable {
    /// A place of the pen. Coded as `[x, y, seconds]`; the time may be missing.
    public struct Sample: Sendable, Hashable {
        public var point: Point
        /// Seconds since the trace began.
        public var time: Double

        public init(_ point: Point, time: Double = 0) {
            self.point = point
            self.time = time
        }
    }

    /// What one touch drew from coming down to being lifted.
    public struct Stroke: Sendable, Hashable {
        public var samples: [Sample]

        public init(samples: [Sample]) {
            self.samples = samples
        }
    }

    public static let format = 1

    /// The glyph that was to be traced, if it is one.
    public var letter: String?
    /// The size of the view it was drawn in, in view units.
    public var size: Size
    /// The threshold it was drawn with, in view units.
    public var threshold: Double
    public var strokes: [Stroke]

    public init(letter: String? = nil, size: Size, threshold: Double, strokes: [Stroke]) {
        self.letter = letter
        self.size = size
        self.threshold = threshold
        self.strokes = strokes
    }
}
