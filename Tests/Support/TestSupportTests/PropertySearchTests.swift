import TestSupport
import Testing

@Suite struct PropertySearchTests {
    private func counterexample<Value>(
        _ generator: Generator<Value>, seed: UInt64 = 1, cases: Int = 1000,
        _ property: @escaping (Value) throws -> Bool
    ) throws -> Counterexample<Value> {
        guard case .fails(let found) = PropertySearch(generator, property).run(seed: seed, cases: cases) else {
            throw Mismatch(description: "no counter-example found")
        }
        return found
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func integersShrinkToTheBoundary(seed: UInt64) throws {
        let found = try counterexample(.integer(in: -1_000_000...1_000_000), seed: seed) { $0 < 4321 }
        #expect(found.value == 4321)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func arraysShrinkToOneElement(seed: UInt64) throws {
        let numbers = Generator<Int>.integer(in: 0...100).array(count: 0...30)
        let found = try counterexample(numbers, seed: seed) { $0.reduce(0, +) < 50 }
        #expect(found.value == [50])
    }

    @Test func mappedAndFilteredValuesShrink() throws {
        struct Span: Equatable { let start, length: Int }
        let spans = zip(Generator<Int>.integer(in: 0...1000), .integer(in: 0...1000))
            .filter { $0.0.isMultiple(of: 2) }
            .map { Span(start: $0.0, length: $0.1) }
        let found = try counterexample(spans) { $0.start + $0.length < 700 || $0.length < 100 }
        #expect(found.value.start + found.value.length == 700)
        #expect(found.value.start.isMultiple(of: 2))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func realsShrinkToShortNumbers(seed: UInt64) throws {
        let large = try counterexample(.real(in: -1000...1000), seed: seed) { $0 < 7.5 }
        #expect(large.value == 8)
        let broken = try counterexample(.real(in: -1000...1000), seed: seed) { $0 == $0.rounded() }
        #expect(broken.value == 0.1)
    }

    @Test func theSeedOfAFailureFailsAtOnceWithTheSameValue() throws {
        let generator = Generator<Int>.integer(in: 0...1_000_000).array()
        let property: ([Int]) -> Bool = { !$0.contains { $0 % 97 == 13 } }
        let found = try counterexample(generator, seed: 5, property)
        let again = try counterexample(generator, seed: found.seed, cases: 1, property)
        #expect(again.passed == 0)
        #expect(again.value == found.value)
        let replayed = PropertySearch(generator, property).run(seed: 99, cases: 0, regressions: [found.choices])
        guard case .fails(let regression) = replayed else { throw Mismatch(description: "the regression passed") }
        #expect(regression.value == found.value)
    }

    @Test func theReasonIsTheOneOfTheShrunkValue() throws {
        let found = try counterexample(.integer(in: 0...1000)) { try $0 < 10 || expectEqual($0, 0, "height") }
        #expect(found.reason == "expected height 0, found 10")
        #expect(describe(found, name: "flat").hasPrefix("property 'flat' fails for 10\nbecause: expected height 0"))
    }

    @Test func impossibleFiltersGiveUpInsteadOfSpinning() {
        let never = Generator<Int>.integer(in: 0...9).filter { $0 > 9 }
        guard case .gaveUp(0, _) = PropertySearch(never, { _ in true }).run(seed: 1, cases: 10) else {
            Issue.record("expected the search to give up")
            return
        }
    }

    @Test func aPropertyThatHoldsRunsEveryCase() {
        guard case .holds(300) = PropertySearch(.bool, { $0 || !$0 }).run(seed: 1, cases: 300) else {
            Issue.record("expected 300 cases to hold")
            return
        }
    }
}

@Suite struct PropertyGeneratorTests {
    private func sample<Value>(_ generator: Generator<Value>, count: UInt64 = 2000) throws -> [Value] {
        try (0..<count).map { seed in
            var source = ChoiceSource(seed: seed)
            return try generator.generate(&source)
        }
    }

    @Test func integersReachBothEndsOfTheWidestRange() throws {
        let values = try sample(Generator<Int64>.integer(in: .min ... .max))
        #expect(values.contains(.min) && values.contains(.max) && values.contains(0))
    }

    @Test func realsMeetTheirBoundaries() throws {
        let values = try sample(Generator<Double>.real(in: -3...20))
        #expect(values.allSatisfy { (-3...20).contains($0) })
        for value in [-3, 0, 10, 0.5, 20] { #expect(values.contains { $0 == value }, "\(value)") }
        let hasNeighbors = values.contains { $0.rounded() != $0 && $0.rounded() == $0.nextUp }
        #expect(hasNeighbors)
        let special = try sample(Generator<Double>.anyDouble)
        #expect(
            special.contains { $0.isNaN } && special.contains(.infinity) && special.contains(.leastNonzeroMagnitude))
    }

    @Test func arraysKeepToTheirCounts() throws {
        let counts = try sample(Generator<Bool>.bool.array(count: 2...9)).map(\.count)
        #expect(Set(counts) == Set(2...9))
    }

    @Test func everyChoiceZeroIsTheSimplestValue() throws {
        var source = ChoiceSource(replaying: [])
        #expect(try Generator<Int>.integer(in: -5...5).generate(&source) == 0)
        #expect(try Generator<Int>.integer(in: 3...5).generate(&source) == 3)
        #expect(try Generator<Double>.real(in: -5...5).generate(&source) == 0)
        #expect(try Generator<Bool>.bool.array().generate(&source).isEmpty)
        #expect(try Generator.text.generate(&source).isEmpty)
    }

    @Test func recursionStopsAtItsDepth() throws {
        let depth = Generator<Int>.recursive(depth: 4, leaf: .always(0)) { inner in inner.map { $0 + 1 } }
        #expect(try Set(sample(depth)) == Set(0...4))
    }

    @Test func theEnvironmentReplaysAndScales() {
        func settings(_ environment: [String: String]) -> PropertySettings {
            PropertySettings(name: "n", cases: 100) { environment[$0] }
        }
        #expect(settings([:]).seed == settings([:]).seed)
        #expect(settings(["LANE_PROPERTY_SEED": "0x1f"]).seed == 31)
        #expect(settings(["LANE_PROPERTY_SEED": "31"]).seed == 31)
        #expect(settings(["LANE_PROPERTY_CASES": "10x"]).cases == 1000)
        #expect(settings(["LANE_PROPERTY_CASES": "7"]).cases == 7)
    }
}
