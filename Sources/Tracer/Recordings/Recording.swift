/// A trace as it was drawn, to keep, to replay, to judge again.
///
/// Coded as
///
///     {"tracer": 1, "letter": "T", "width": 320, "height": 400, "threshold": 20, "strokes": [[[x, y, seconds], …], …]}
public struct Recording: Sendable, Hashable {
    /// A place of the pen. Coded as `[x, y, seconds]`; the time may be missing.
    public struct Sample: Sendable, Hashable {
        /// Where the pen was, in view units.
        public var point: Point
        /// Seconds since the trace began.
        public var time: Double

        /// A place in view units, and when the pen was there, in seconds.
        public init(_ point: Point, time: Double = 0) {
            self.point = point
            self.time = time
        }
    }

    /// What one touch drew from coming down to being lifted.
    public struct Stroke: Sendable, Hashable {
        /// In the order of time, the touch coming down first.
        public var samples: [Sample]

        /// A stroke by its samples, the touch coming down first.
        public init(samples: [Sample]) {
            self.samples = samples
        }
    }

    /// The version of the coded form.
    public static let format = 1

    /// The glyph that was to be traced, if it is one.
    public var letter: String?
    /// The size of the view it was drawn in, in view units.
    public var size: Size
    /// The threshold it was drawn with, in view units.
    public var threshold: Double
    /// In the order in which the touches came down.
    public var strokes: [Stroke]

    /// - Parameters:
    ///   - letter: The glyph that was to be traced, if it is one.
    ///   - size: The size of the view, in view units.
    ///   - threshold: In view units.
    ///   - strokes: In the order in which the touches came down.
    public init(letter: String? = nil, size: Size, threshold: Double, strokes: [Stroke]) {
        self.letter = letter
        self.size = size
        self.threshold = threshold
        self.strokes = strokes
    }
}
