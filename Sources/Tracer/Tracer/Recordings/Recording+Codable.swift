#if !hasFeature(Embedded)
    extension Recording: Codable {
        private enum CodingKeys: String, CodingKey {
            case format = "tracer"
            case letter, width, height, threshold, strokes
        }

        /// - Throws: `DecodingError`, including for a version other than 1.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let found = try values.decode(Int.self, forKey: .format)
            guard found == Self.format else {
                throw DecodingError.dataCorruptedError(
                    forKey: .format, in: values, debugDescription: "expected format \(Self.format), found \(found)")
            }
            self.init(
                letter: try values.decodeIfPresent(String.self, forKey: .letter),
                size: TraceSize(
                    try values.decode(Double.self, forKey: .width), try values.decode(Double.self, forKey: .height)),
                threshold: try values.decode(Double.self, forKey: .threshold),
                strokes: try values.decode([Stroke].self, forKey: .strokes))
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(Self.format, forKey: .format)
            try values.encodeIfPresent(letter, forKey: .letter)
            try values.encode(size.width, forKey: .width)
            try values.encode(size.height, forKey: .height)
            try values.encode(threshold, forKey: .threshold)
            try values.encode(strokes, forKey: .strokes)
        }
    }

    extension Recording.Stroke: Codable {
        /// - Throws: `DecodingError` for anything but a list of samples.
        public init(from decoder: any Decoder) throws {
            self.init(samples: try decoder.singleValueContainer().decode([Recording.Sample].self))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(samples)
        }
    }

    extension Recording.Sample: Codable {
        /// - Throws: `DecodingError` for anything but a list of two or three numbers.
        public init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let point = TracePoint(try values.decode(Double.self), try values.decode(Double.self))
            self.init(point, time: values.isAtEnd ? 0 : try values.decode(Double.self))
            guard values.isAtEnd else {
                throw DecodingError.dataCorruptedError(in: values, debugDescription: "expected [x, y, seconds]")
            }
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(point.x)
            try values.encode(point.y)
            try values.encode(time)
        }
    }
#endif
