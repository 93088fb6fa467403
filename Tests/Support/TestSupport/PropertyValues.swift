extension Generator where Value == Bool {
    package static var bool: Generator { Generator { $0.draw(upTo: 1) == 1 } }
}

extension Generator where Value: FixedWidthInteger & Sendable {
    /// Returns a generator of integers in the range. One in five is a bound or next to one. They shrink toward zero.
    package static func integer(in range: ClosedRange<Value>) -> Generator {
        let origin = min(max(0, range.lowerBound), range.upperBound)
        let above = UInt64(truncatingIfNeeded: range.upperBound &- origin)
        let below = UInt64(truncatingIfNeeded: origin &- range.lowerBound)
        return Generator { source in
            // The sign is a separate choice, so that bisection works on the distance from the origin.
            let isBelow = below > 0 && (above == 0 || source.draw(upTo: 1) == 1)
            let bound = isBelow ? below : above
            let distance = source.draw(upTo: bound) { random in
                switch UInt64.random(in: 0..<10, using: &random) {
                case 0: bound - min(bound, .random(in: 0...1, using: &random))
                case 1...3: .random(in: 0...min(bound, 10), using: &random)
                default: nil
                }
            }
            let offset = Value(truncatingIfNeeded: distance)
            return isBelow ? origin &- offset : origin &+ offset
        }
    }
}

extension Generator where Value == Double {
    /// Returns a generator of reals in the range: whole numbers, tenths, bounds, neighbors of whole numbers, and any others.
    ///
    /// They shrink toward zero and toward fewer decimals. The recorded choices of a value are its form (whole, tenths,
    /// any), its sign, its integer part and its fraction.
    package static func real(in range: ClosedRange<Double>) -> Generator {
        precondition(max(range.upperBound, -range.lowerBound) < 0x1p52, "wider ranges: map integers, or anyDouble")
        return Generator { source in
            let value = source.withRandom { random in randomReal(in: range, &random) }
            let size = value.magnitude
            let whole = UInt64(size)
            let tenths = UInt64(((size - Double(whole)) * 10).rounded())
            let form: UInt64 =
                if size == Double(whole) { 0 } else if size == Double(whole * 10 + tenths) / 10 { 1 } else { 2 }

            let drawnForm = source.draw(upTo: 2) { _ in form }
            let sign = source.draw(upTo: 1) { _ in value < 0 ? 1 : 0 } == 1 ? -1.0 : 1.0
            let drawn = source.draw(upTo: UInt64(max(range.upperBound.magnitude, range.lowerBound.magnitude))) { _ in
                whole
            }
            let result: Double
            switch drawnForm {
            case 0: result = Double(drawn)
            case 1: result = Double(drawn * 10 + source.draw(upTo: 9) { _ in tenths }) / 10
            default:
                let start = Double(drawn).bitPattern
                let last = Double(drawn + 1).bitPattern - start - 1
                result = Double(bitPattern: start + source.draw(upTo: last) { _ in size.bitPattern - start })
            }
            return min(max(sign * result, range.lowerBound), range.upperBound)
        }
    }

    private static func randomReal(in range: ClosedRange<Double>, _ random: inout SplitMix64) -> Double {
        let uniform = Double.random(in: range, using: &random)
        let value: Double
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: value = uniform.rounded()
        case 8..<11: value = (uniform * 10).rounded() / 10
        case 11: value = range.lowerBound
        case 12: value = range.upperBound
        case 13: value = uniform.rounded().nextUp
        case 14: value = uniform.rounded().nextDown
        default: value = uniform
        }
        return min(max(value, range.lowerBound), range.upperBound)
    }

    /// A generator of all doubles: small, huge and tiny reals, both zeros, infinities and NaN.
    package static var anyDouble: Generator {
        let special: [Double] = [
            0, -0.0, 1, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
            .leastNormalMagnitude, .leastNonzeroMagnitude, 1e154, 1e-154, 0x1p53, .ulpOfOne,
        ]
        return frequency([
            (4, real(in: -1000...1000)),
            (3, element(of: special)),
            (1, Generator<UInt64>.integer(in: 0...UInt64.max).map { Double(bitPattern: $0) }),
        ])
    }
}

extension Generator where Value == String {
    /// Returns a generator of strings with the characters of `alphabet`. The first is the simplest.
    package static func string(of alphabet: String, count: ClosedRange<Int> = 0...20) -> Generator {
        Generator<Character>.element(of: Array(alphabet)).array(count: count).map { String($0) }
    }

    /// A generator of strings that are hard to parse: letters, quotes, control characters, combining marks, emoji.
    package static var text: Generator {
        let hard: [Unicode.Scalar] = [
            "a", "b", "0", " ", "\n", "\t", "\r", "'", "\"", "\\", "/", "{", "}", "[", "]", ":", ",", "#", "-", "<",
            "&",
            "\0", "\u{1B}", "\u{7F}", "é", "\u{301}", "\u{200B}", "\u{FEFF}", "\u{2028}", "\u{FFFD}", "😀", "\u{10FFFF}",
        ]
        let scalar: Generator<Unicode.Scalar> = .frequency([
            (3, .element(of: hard)),
            (1, Generator<UInt32>.integer(in: 0x20...0x10FFFF).map { Unicode.Scalar($0) ?? "a" }),
        ])
        return scalar.array(count: 0...20).map { scalars in
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            return text
        }
    }
}

extension Generator where Value == [UInt8] {
    package static func bytes(count: ClosedRange<Int> = 0...40) -> Generator {
        Generator<UInt8>.integer(in: 0...255).array(count: count)
    }
}
