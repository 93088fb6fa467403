/// The settings by which a trace is judged.
public struct TraceSettings: Sendable, Hashable, Codable {
    /// The distance up to which a point is on the path: half the width of the guide.
    public enum Threshold: Sendable, Hashable {
        /// A share of the smaller side of ``Glyph/box``, so that a trace has the same verdict in a view of any size.
        /// Reduced to half the distance of strokes that run beside each other, but to no less than three quarters of the share.
        case share(Double)
        /// A distance in view units, at most an eighth of the smaller side of the view.
        case units(Double)

        /// A sixteenth of the box.
        public static let standard = Threshold.share(1 / 16)

        /// Returns the distance in view units for a box with the given smaller side.
        func distance(inBoxOf side: Double) -> Double {
            switch self {
            case .share(let share): share * side
            case .units(let distance): distance
            }
        }
    }

    /// The role of order and direction.
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// Any part of the paths may be drawn at any time in any direction.
        case free
        /// Each path must be drawn from its start to its end, in a permitted order.
        case ordered
    }

    /// The distance up to which a point is on the path. The guide is twice as wide.
    public var threshold: Threshold
    /// The role of order and direction.
    public var mode: Mode
    /// The share of every path that must be drawn for the trace to be complete, 0...1. Of a path that is longer than 30
    /// thresholds, only as much may be missing as of one with that length.
    public var requiredCoverage: Double
    /// The largest ratio of the length of the line that covers a path to the length of the path, at least 1, or `nil`
    /// for no limit.
    ///
    /// With a longer line, such as a zigzag, the path is scribbled over and not complete. A tremor within half the
    /// threshold and a resting finger add no length.
    public var largestDetour: Double?
    /// The leniency of ``TraceScore`` and of mistakes in ``TraceQuiz``, from 0 for strict to 1 for generous.
    public var leniency: Double

    /// Creates settings, which a ``TraceTarget`` validates.
    ///
    /// - Parameters:
    ///   - threshold: The distance up to which a point is on the path, greater than zero.
    ///   - mode: The role of order and direction.
    ///   - requiredCoverage: The share of every path that must be drawn, 0...1.
    ///   - largestDetour: The largest ratio of line to path, at least 1, or `nil` for no limit.
    ///   - leniency: The leniency of scores and of mistakes in a quiz, from 0 for strict to 1 for generous.
    public init(
        threshold: Threshold = .standard, mode: Mode = .free, requiredCoverage: Double = 0.97,
        largestDetour: Double? = 2.5, leniency: Double = 0.5
    ) {
        self.threshold = threshold
        self.mode = mode
        self.requiredCoverage = requiredCoverage
        self.largestDetour = largestDetour
        self.leniency = leniency
    }
}

#if !hasFeature(Embedded)
    /// Decoded with the default for each missing key. `null` means no limit.
    extension TraceSettings {
        private enum CodingKeys: String, CodingKey {
            case threshold, mode, requiredCoverage, largestDetour, leniency
        }

        /// - Throws: `DecodingError` for a value of another type.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init()
            threshold = try values.decodeIfPresent(Threshold.self, forKey: .threshold) ?? threshold
            mode = try values.decodeIfPresent(Mode.self, forKey: .mode) ?? mode
            requiredCoverage = try values.decodeIfPresent(Double.self, forKey: .requiredCoverage) ?? requiredCoverage
            if values.contains(.largestDetour) {
                largestDetour = try values.decodeIfPresent(Double.self, forKey: .largestDetour)
            }
            leniency = try values.decodeIfPresent(Double.self, forKey: .leniency) ?? leniency
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(threshold, forKey: .threshold)
            try values.encode(mode, forKey: .mode)
            try values.encode(requiredCoverage, forKey: .requiredCoverage)
            try values.encode(largestDetour, forKey: .largestDetour)
            try values.encode(leniency, forKey: .leniency)
        }
    }
#endif

extension TraceSettings.Threshold: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// Creates a distance in view units.
    public init(floatLiteral value: Double) { self = .units(value) }

    /// Creates a distance in view units.
    public init(integerLiteral value: Int) { self = .units(Double(value)) }
}

#if hasFeature(Embedded)
    extension TraceSettings.Threshold: Codable {}
#else
    /// Encoded as a number of view units, or as `{"share": number}`.
    extension TraceSettings.Threshold: Codable {
        private enum CodingKeys: String, CodingKey {
            case share
        }

        /// - Throws: `DecodingError` for anything but a number or a share.
        public init(from decoder: any Decoder) throws {
            if let distance = try? decoder.singleValueContainer().decode(Double.self) {
                self = .units(distance)
            } else {
                self = .share(try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .share))
            }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .units(let distance):
                var container = encoder.singleValueContainer()
                try container.encode(distance)
            case .share(let share):
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(share, forKey: .share)
            }
        }
    }
#endif
