/// An order in which paths may be drawn, with their directions.
///
/// Encoded as a list of the numbers of the paths, starting at one, negative for a path that is drawn from its end, such
/// as `[2, -1]`.
public struct StrokeOrder: Sendable, Hashable {
    /// A path with its direction.
    public struct Step: Sendable, Hashable {
        /// The index of the path among the expected ones.
        public var path: Int
        /// A Boolean value that indicates whether the path is drawn from its end to its start.
        public var isReversed: Bool

        /// Creates a step from the index of a path.
        public init(path: Int, isReversed: Bool = false) {
            self.path = path
            self.isReversed = isReversed
        }
    }

    /// The steps in drawing order, one for each path.
    public var steps: [Step]

    /// Creates an order from its steps.
    public init(_ steps: [Step]) {
        self.steps = steps
    }
}

extension StrokeOrder.Step {
    /// Creates a step from its encoded form, or returns `nil` for zero.
    ///
    /// - Parameter number: The number of the path, starting at one; negative for a path that is drawn from its end.
    public init?(number: Int) {
        guard number != 0, number != .min else { return nil }
        self.init(path: abs(number) - 1, isReversed: number < 0)
    }

    /// The number of the path, starting at one; negative if the path is drawn from its end.
    public var number: Int { isReversed ? -1 &- path : path &+ 1 }
}

#if !hasFeature(Embedded)
    extension StrokeOrder.Step: Codable {
        /// - Throws: `DecodingError` for anything but a whole number other than zero.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let step = Self(number: try container.decode(Int.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "paths are counted from one")
            }
            self = step
        }

        /// Encodes the number of the step. A step with a negative or extremely large index is not preserved.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    extension StrokeOrder: Codable {
        /// - Throws: `DecodingError` for anything but a list of steps.
        public init(from decoder: any Decoder) throws {
            self.init(try decoder.singleValueContainer().decode([Step].self))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(steps)
        }
    }
#endif
