#if !hasFeature(Embedded)
    /// Encoded as `{"name": "T", "strokes": [curve, …], "orders": [order, …], "lines": [y, …], "box": [x, y,
    /// width, height]}`, where the orders are ``alternatives`` and the lines ``writingLines``.
    extension Glyph: Codable {
        private enum CodingKeys: String, CodingKey {
            case name, strokes, orders, lines, box
        }

        /// - Throws: `DecodingError` for anything without a name and strokes.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let box = try values.decodeIfPresent([Double].self, forKey: .box).map { numbers in
                guard let box = TraceRect(numbers: numbers) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .box, in: values, debugDescription: "expected [x, y, width, height]")
                }
                return box
            }
            self.init(
                name: try values.decode(String.self, forKey: .name),
                curves: try values.decode([Curve].self, forKey: .strokes),
                alternatives: try values.decodeIfPresent([StrokeOrder].self, forKey: .orders) ?? [],
                writingLines: try values.decodeIfPresent([Double].self, forKey: .lines) ?? [], box: box)
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(name, forKey: .name)
            try values.encode(curves, forKey: .strokes)
            if !alternatives.isEmpty { try values.encode(alternatives, forKey: .orders) }
            if !writingLines.isEmpty { try values.encode(writingLines, forKey: .lines) }
            try values.encodeIfPresent(ownBox?.numbers, forKey: .box)
        }
    }

    /// Encoded as a list of parts with a letter as in SVG and its numbers: `["M", x, y]` first, then `["L", x, y]`,
    /// `["Q", x1, y1, x, y]`, `["C", x1, y1, x2, y2, x, y]` and `["A", cx, cy, rx, ry, rotation, start, sweep]`, an arc
    /// with its center and angles in radians. Numbers keep their full precision.
    extension Curve: Codable {
        /// - Throws: `DecodingError` for an invalid or misplaced part.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let curve = Curve(parts: try container.decode([Part].self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "invalid element of a stroke")
            }
            self = curve
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(parts)
        }
    }

    extension Curve.Part: Codable {
        /// - Throws: `DecodingError` for anything but a list of a letter and numbers.
        public init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            letter = try values.decode(String.self)
            var numbers: [Double] = []
            while !values.isAtEnd { numbers.append(try values.decode(Double.self)) }
            self.numbers = numbers
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(letter)
            for number in numbers { try values.encode(number) }
        }
    }
#endif
