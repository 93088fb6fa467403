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

    /// Reads a list of steps. A step is a number, or zero and the number, the index in its stroke and the part.
    mutating func order() -> StrokeOrder? {
        let steps = list { reader in
            reader.rest.popFirst().flatMap { $0 == 0 ? reader.longStep() : Self.step($0) }
        }
        return steps.map { StrokeOrder($0) }
    }

    private static func step(_ number: Double) -> StrokeOrder.Step? {
        Int(exactly: number).flatMap { StrokeOrder.Step(number: $0) }
    }

    private mutating func longStep() -> StrokeOrder.Step? {
        guard var step = rest.popFirst().flatMap(Self.step), let index = rest.popFirst(),
            let from = rest.popFirst(), let to = rest.popFirst(), from >= 0, from < to, to <= 1
        else { return nil }
        step.isJoined = index > 0
        step.part = from...to
        return step
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
