/// An order in which paths may be drawn, with their directions.
///
/// Steps that are joined are drawn without lifting the pen, and a path may be split into parts, each with a step of its
/// own. The order of an E as an L and two bars is `[[1, 4], 2, 3]` in encoded form, and that of an N with both of its
/// stems first is `[1, {"path": -2, "from": 0.55, "to": 1}, {"path": 2, "from": 0, "to": 0.55}]`.
///
/// Encoded as a list of the numbers of the paths, starting at one, negative for a path that is drawn from its end, such
/// as `[2, -1]`. Joined steps are a list in this list. A part of a path is an object.
public struct StrokeOrder: Sendable, Hashable {
    /// A path, or a part of one, with its direction.
    public struct Step: Sendable, Hashable {
        /// The index of the path among the expected ones.
        public var path: Int
        /// A Boolean value that indicates whether the path is drawn from its end to its start.
        public var isReversed: Bool
        /// A Boolean value that indicates whether the pen stays down after the previous step. It may go back over a
        /// drawn line to the start of this step.
        public var isJoined: Bool
        /// The part of the path, as shares of its length.
        public var part: ClosedRange<Double>

        /// Creates a step from the index of a path.
        ///
        /// - Parameters:
        ///   - path: The index of the path among the expected ones.
        ///   - isReversed: A Boolean value that indicates whether the path is drawn from its end to its start.
        ///   - isJoined: A Boolean value that indicates whether the pen stays down after the previous step.
        ///   - part: The part of the path, as shares of its length.
        public init(path: Int, isReversed: Bool = false, isJoined: Bool = false, part: ClosedRange<Double> = 0...1) {
            self.path = path
            self.isReversed = isReversed
            self.isJoined = isJoined
            self.part = part
        }

        var isWhole: Bool { part == 0...1 }
    }

    /// The steps in drawing order. Together they draw every path exactly once.
    public var steps: [Step]

    /// Creates an order from its steps.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// The steps of each stroke: a list for each time the pen comes down.
    package var strokes: [[Step]] {
        steps.reduce(into: []) { strokes, step in
            if step.isJoined, !strokes.isEmpty {
                strokes[strokes.count - 1].append(step)
            } else {
                strokes.append([step])
            }
        }
    }

    /// Returns a Boolean value that indicates whether the steps draw each of a number of paths exactly once.
    package func draws(paths count: Int) -> Bool {
        var drawn = [Double](repeating: 0, count: count)
        for step in steps {
            let (start, end) = (step.part.lowerBound, step.part.upperBound)
            // Each part begins at the start of its path or where another part ends, and no two at the same place.
            let rivals = steps.filter { $0.path == step.path && abs($0.part.lowerBound - start) < 1e-9 }
            guard drawn.indices.contains(step.path), end > start, rivals.count == 1,
                start == 0 || steps.contains(where: { $0.path == step.path && abs($0.part.upperBound - start) < 1e-9 })
            else { return false }
            drawn[step.path] += end - start
        }
        return drawn.allSatisfy { abs($0 - 1) < 1e-9 }
    }
}

extension StrokeOrder.Step {
    /// Creates a step from its encoded form, or returns `nil` for zero.
    ///
    /// - Parameter number: The number of the path, starting at one; negative for a path that is drawn from its end.
    package init?(number: Int) {
        guard number != 0, number != .min else { return nil }
        self.init(path: abs(number) - 1, isReversed: number < 0)
    }

    /// The number of the path, starting at one; negative if the path is drawn from its end.
    package var number: Int { isReversed ? -1 &- path : path &+ 1 }
}

#if !hasFeature(Embedded)
    extension StrokeOrder.Step: Codable {
        private enum CodingKeys: String, CodingKey {
            case path, from, to
        }

        /// - Throws: `DecodingError` for anything but a whole number other than zero, or a part of a path.
        public init(from decoder: any Decoder) throws {
            let values = try? decoder.container(keyedBy: CodingKeys.self)
            let number = try values?.decode(Int.self, forKey: .path) ?? decoder.singleValueContainer().decode(Int.self)
            let from = try values?.decodeIfPresent(Double.self, forKey: .from) ?? 0
            let to = try values?.decodeIfPresent(Double.self, forKey: .to) ?? 1
            guard var step = Self(number: number), from >= 0, from < to, to <= 1 else {
                let context = DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "paths are counted from one, parts are 0...1")
                throw DecodingError.dataCorrupted(context)
            }
            step.part = from...to
            self = step
        }

        /// Encodes the number of the step. A step with a negative or extremely large index is not preserved.
        public func encode(to encoder: any Encoder) throws {
            if isWhole {
                var container = encoder.singleValueContainer()
                try container.encode(number)
            } else {
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(number, forKey: .path)
                try values.encode(part.lowerBound, forKey: .from)
                try values.encode(part.upperBound, forKey: .to)
            }
        }
    }

    extension StrokeOrder: Codable {
        /// - Throws: `DecodingError` for anything but a list of steps and lists of joined steps.
        public init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            var steps: [Step] = []
            while !list.isAtEnd {
                if var joined = try? list.nestedUnkeyedContainer() {
                    let first = steps.count
                    while !joined.isAtEnd {
                        var step = try joined.decode(Step.self)
                        step.isJoined = steps.count > first
                        steps.append(step)
                    }
                } else {
                    steps.append(try list.decode(Step.self))
                }
            }
            self.init(steps)
        }

        public func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            for stroke in strokes {
                if stroke.count == 1 { try list.encode(stroke[0]) } else { try list.encode(stroke) }
            }
        }
    }
#endif
