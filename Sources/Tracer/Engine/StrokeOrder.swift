/// An order in which paths may be drawn.
///
/// Coded as a list of the paths counted from one, negative for a path that is drawn from its end: `[2, -1]`.
public struct StrokeOrder: Sendable, Hashable {
    /// A path that is to be drawn, and in which direction.
    public struct Step: Sendable, Hashable {
        /// The position of the path among the expected ones, from zero.
        public var path: Int
        /// Drawn from its end to its start.
        public var isReversed: Bool

        /// A path by its position from zero, drawn from its start unless said otherwise.
        public init(path: Int, isReversed: Bool = false) {
            self.path = path
            self.isReversed = isReversed
        }
    }

    /// One step for each path, the first to be drawn first.
    public var steps: [Step]

    /// An order by its steps, the first to be drawn first.
    public init(_ steps: [Step]) {
        self.steps = steps
    }
}

extension StrokeOrder.Step: Codable {
    /// - Parameter number: Counted from one, negative for a path that is drawn from its end; nil for zero.
    public init?(number: Int) {
        guard number != 0, number != .min else { return nil }
        self.init(path: abs(number) - 1, isReversed: number < 0)
    }

    /// The path counted from one, negative when it is drawn from its end.
    public var number: Int { isReversed ? -1 &- path : path &+ 1 }

    /// - Throws: `DecodingError` for what is not a whole number other than zero.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let step = Self(number: try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "paths are counted from one")
        }
        self = step
    }

    /// A step with a path that can't be one (negative, or beyond all counting) is coded as another.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension StrokeOrder: Codable {
    /// - Throws: `DecodingError` for what is not a list of steps.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Step].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(steps)
    }
}
