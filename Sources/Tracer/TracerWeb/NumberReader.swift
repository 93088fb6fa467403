import Tracer

/// A reader of lists of numbers from a page. Returns `nil` for unexpected numbers.
struct NumberReader {
    private var rest: ArraySlice<Double>

    init(_ numbers: [Double]) { rest = numbers[...] }

    /// Reads a count and that number of elements.
    mutating func list<Element>(_ read: (inout NumberReader) -> Element?) -> [Element]? {
        guard let count = rest.popFirst().flatMap({ Int(exactly: $0) }), (0...rest.count).contains(count) else {
            return nil
        }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            guard let element = read(&self) else { return nil }
            elements.append(element)
        }
        return elements
    }

    /// Reads a list of parts.
    mutating func curve() -> Curve? {
        list { reader in reader.part() }.flatMap { Curve(parts: $0) }
    }

    private mutating func part() -> Curve.Part? {
        guard let letter = rest.popFirst().flatMap({ UInt8(exactly: $0) }),
            let numbers = list({ reader in reader.rest.popFirst() })
        else { return nil }
        return Curve.Part(letter: String(UnicodeScalar(letter)), numbers: numbers)
    }

    /// Reads a list of step numbers.
    mutating func order() -> StrokeOrder? {
        let steps = list { reader in
            reader.rest.popFirst().flatMap { Int(exactly: $0) }.flatMap { StrokeOrder.Step(number: $0) }
        }
        return steps.map { StrokeOrder($0) }
    }

    mutating func number() -> Double? { rest.popFirst() }

    /// Reads a list of samples.
    mutating func stroke() -> Recording.Stroke? {
        let samples = list { reader -> Recording.Sample? in
            guard let x = reader.rest.popFirst(), let y = reader.rest.popFirst(), let time = reader.rest.popFirst()
            else {
                return nil
            }
            return Recording.Sample(TracePoint(x, y), time: time)
        }
        return samples.map { Recording.Stroke(samples: $0) }
    }
}
