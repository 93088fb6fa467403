/// A generator of random values of a type, for ``checkProperty(_:_:cases:regressions:sourceLocation:_:)``.
///
/// Smaller choices should give simpler values; shrinking needs nothing else.
package struct Generator<Value>: Sendable {
    package let generate: @Sendable (inout ChoiceSource) throws -> Value

    package init(_ generate: @escaping @Sendable (inout ChoiceSource) throws -> Value) {
        self.generate = generate
    }

    package func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Generator<Other> {
        Generator<Other> { try transform(generate(&$0)) }
    }

    package func flatMap<Other>(
        _ transform: @escaping @Sendable (Value) -> Generator<Other>
    ) -> Generator<Other> {
        Generator<Other> { try transform(generate(&$0)).generate(&$0) }
    }

    /// Returns a generator of values that satisfy the condition. After 50 other values in a row, it discards the case.
    package func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Generator {
        Generator { source in
            try source.retry(50) { source in
                let value = try generate(&source)
                return isIncluded(value) ? value : nil
            }
        }
    }

    /// Returns a generator of arrays. A choice "one more" precedes each element, so that elements can be deleted.
    package func array(count: ClosedRange<Int> = 0...20) -> Generator<[Value]> {
        Generator<[Value]> { source in
            let middle = min(count.upperBound, count.lowerBound + 5)
            let wanted = source.withRandom { random in
                let longest = Bool.random(using: &random) ? middle : count.upperBound
                return Int.random(in: count.lowerBound...longest, using: &random)
            }
            var elements: [Value] = []
            while elements.count < count.upperBound {
                let hasMore = elements.count < wanted
                if elements.count >= count.lowerBound, source.draw(upTo: 1, { _ in hasMore ? 1 : 0 }) == 0 { break }
                elements.append(try generate(&source))
            }
            return elements
        }
    }

    package func optional() -> Generator<Value?> {
        Generator<Value?> { source in
            source.draw(upTo: 3) == 0 ? nil : try generate(&source)
        }
    }
}

extension Generator {
    package static func always(_ value: Value) -> Generator where Value: Sendable {
        Generator { _ in value }
    }

    /// Returns a generator of these values, at least one. The first is the simplest.
    package static func element(of values: [Value]) -> Generator where Value: Sendable {
        precondition(!values.isEmpty, "element(of:) needs a value to choose from")
        return Generator { values[Int($0.draw(upTo: UInt64(values.count - 1)))] }
    }

    /// Returns a generator of the values of these generators, at least one. The first is the simplest.
    package static func oneOf(_ generators: [Generator]) -> Generator {
        precondition(!generators.isEmpty, "oneOf needs a generator to choose from")
        return Generator { try generators[Int($0.draw(upTo: UInt64(generators.count - 1)))].generate(&$0) }
    }

    /// Returns a generator like ``oneOf(_:)`` that chooses each generator in proportion to its weight.
    package static func frequency(_ weighted: [(weight: Int, generator: Generator)]) -> Generator {
        let indices = weighted.enumerated().flatMap { Array(repeating: UInt64($0.offset), count: $0.element.weight) }
        precondition(!indices.isEmpty, "frequency needs a generator with a positive weight")
        return Generator { source in
            let index = source.draw(upTo: UInt64(weighted.count - 1)) { indices.randomElement(using: &$0) }
            return try weighted[Int(index)].generator.generate(&source)
        }
    }

    /// Returns a generator that may contain itself, at most `depth` levels deep.
    package static func recursive(
        depth: Int, leaf: Generator, _ deeper: @Sendable (Generator) -> Generator
    ) -> Generator {
        (0..<depth).reduce(leaf) { inner, _ in oneOf([leaf, deeper(inner)]) }
    }
}

package func zip<A, B>(_ a: Generator<A>, _ b: Generator<B>) -> Generator<(A, B)> {
    Generator { (try a.generate(&$0), try b.generate(&$0)) }
}

package func zip<A, B, C>(_ a: Generator<A>, _ b: Generator<B>, _ c: Generator<C>) -> Generator<(A, B, C)> {
    Generator { (try a.generate(&$0), try b.generate(&$0), try c.generate(&$0)) }
}

package func zip<A, B, C, D>(
    _ a: Generator<A>, _ b: Generator<B>, _ c: Generator<C>, _ d: Generator<D>
) -> Generator<(A, B, C, D)> {
    Generator { (try a.generate(&$0), try b.generate(&$0), try c.generate(&$0), try d.generate(&$0)) }
}
