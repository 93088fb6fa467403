import Events
import Testing

@testable import TestEngine

@Suite struct WorkQueueTests {
    private func tests(_ classes: Int, _ methods: Int, functions: Int = 0, modules: Int = 1) -> [ListedTest] {
        (0..<classes).flatMap { number in
            (0..<methods).map { listed(.xctest, "M\(number % modules)", "C\(number / modules)", "test\($0)") }
        } + (0..<functions).map { listed(.swiftTesting, "S", "Suite", "f\($0)()") }
    }

    private func dealt(
        _ tests: [ListedTest], workers: Int = 2, duration: (TestID) -> Duration? = { _ in nil }
    ) -> [Batch] {
        var queue = WorkQueue(
            tests.indices.map { WorkItem(test: $0) }, of: tests, workers: workers, duration: duration)
        var batches: [Batch] = []
        while let batch = queue.next() { batches.append(batch) }
        return batches
    }

    @Test(arguments: [1, 2, 8], [0, 1, 7, 300]) func everyTestIsDealtOnce(workers: Int, classes: Int) {
        let tests = tests(classes, 11, functions: classes)
        let items = dealt(tests, workers: workers).flatMap(\.items).map(\.test).sorted()
        #expect(items == Array(tests.indices))
    }

    @Test func aBatchFitsIntoOneArgument() {
        let longName = String(repeating: "n", count: 300)
        let tests = (0..<5000).map { listed(.xctest, "M", "C", "test\(longName)\($0)") }
        for batch in dealt(tests) {
            let length = TestArguments.xctest(batch, all: tests + [listed(.xctest, "M", "C", "x")], chosen: tests)[0]
                .utf8.count
            #expect(length < 128 * 1024)
        }
    }

    @Test func slowTestsAreSpreadAndComeFirst() {
        let tests = tests(4, 10)
        let batches = dealt(tests) { $0.suite == "C3" ? .seconds(1) : .milliseconds(1) }
        #expect(batches.allSatisfy { batch in batch.items.count { tests[$0.test].id.suite == "C3" } <= 3 })
        #expect(tests[batches[0].items[0].test].id.suite == "C3")
    }

    @Test(arguments: [1, 2, 4]) func testsTooFastToMeasureTakeOneProcessOfEachWorker(workers: Int) {
        let tests = tests(200, 25)
        let batches = dealt(tests, workers: workers) { _ in .zero }
        #expect(batches.count == workers)
        #expect(batches.allSatisfy { $0.items.count >= tests.count / workers * 4 / 5 })
    }

    @Test func prioritizedTestsComeFirst() {
        let tests = tests(10, 10, functions: 20)
        var queue = WorkQueue(
            tests.indices.map { WorkItem(test: $0) }, of: tests, workers: 1, prioritized: [7, 73, 105, 110],
            duration: { _ in nil })
        #expect(queue.next()?.items.map(\.test) == [105, 110])
        #expect(Set(queue.next()?.items.map(\.test) ?? []) == [7, 73])
        #expect(queue.next()?.items.count == 18)
        #expect(queue.next()?.items.count == 98)
    }

    @Test func classesOfOneNameNeverShareAProcess() {
        let tests = tests(40, 3, modules: 2)
        for batch in dealt(tests, workers: 1) {
            #expect(Set(batch.items.map { tests[$0.test].id.module }).count == 1)
        }
    }

    /// XCTest prints only the last component of a nested class's name.
    @Test func nestedClassesOfOneNameNeverShareAProcess() {
        let tests = ["Inner.Cases", "Outer.Cases", "Cases"].map { listed(.xctest, "M", $0, "testSame") }
        for batch in dealt(tests, workers: 1) { #expect(batch.items.count == 1) }
    }

    @Test func allFunctionsOfABinaryShareOne() {
        let batches = dealt(tests(0, 0, functions: 500))
        #expect(batches.count == 1)
    }

    @Test func isolatedTestsHaveTheirOwnProcess() {
        let tests = tests(1, 5, functions: 5)
        var queue = WorkQueue([], of: tests, workers: 2) { _ in nil }
        queue.add(tests.indices.map { WorkItem(test: $0, isolation: $0 % 2 == 0 ? .ownProcess : .serial) })
        var batches: [Batch] = []
        while let batch = queue.next() { batches.append(batch) }
        for batch in batches where batch.items.contains(where: { $0.isolation == .ownProcess }) {
            #expect(batch.items.count == 1)
        }
        for batch in batches where batch.items.contains(where: { $0.isolation == .serial }) { #expect(batch.isSerial) }
        #expect(batches.flatMap(\.items).count == tests.count)
    }
}

@Suite struct TestArgumentsTests {
    private let tests = (0..<300).map { listed(.swiftTesting, "M", "Suite\($0 % 9)", "f\($0)(_:a.b:)") }

    private func batch(_ places: [Int]) -> Batch {
        Batch(items: places.map { WorkItem(test: $0) }, binary: 0, library: .swiftTesting, isSerial: false)
    }

    @Test func allTestsNeedNoFilter() {
        #expect(TestArguments.swiftTesting(batch(Array(tests.indices)), all: tests, chosen: tests) == [])
    }

    /// `f1` must not match `f10`, and dots and brackets are literal.
    @Test(arguments: [[1], [1, 10, 100], Array(0..<140), Array(3..<300)]) func exactlyTheseMatch(_ places: [Int]) throws
    {
        let words = TestArguments.swiftTesting(batch(places), all: tests, chosen: tests)
        let patterns = try stride(from: 1, to: words.count, by: 2).map { try Regex(words[$0]) }
        let matched = tests.indices.filter { place in
            patterns.contains { tests[place].selector.firstMatch(of: $0) != nil }
        }
        let expected = words[0] == "--filter" ? places : tests.indices.filter { !places.contains($0) }
        #expect(matched == expected)
    }

    /// A regular expression matches characters, so patterns must not split one.
    @Test func namesThatShareAPartOfACharacterMatch() throws {
        try expectExactMatches([
            "👍", "👍🏽", "👨‍👩‍👧", "👨‍👩‍👦", "cafe", "cafe\u{301}s", "cafe\u{20DD}", "é", "è", "z",
        ])
    }

    /// Raw identifiers may hold any of these characters.
    @Test func operatorsOfExpressionsMatchThemselves() throws {
        let operators = (33..<127).map { String(UnicodeScalar($0)) }.filter { $0 != "`" }
        try expectExactMatches(operators + operators.map { "a\($0)b" } + ["a$HOME", "$$"])
    }

    /// Checks that the pattern for two of these tests matches both and no other, beside namesakes or not.
    private func expectExactMatches(_ names: [String]) throws {
        let tests = names.map { name in
            var test = listed(.swiftTesting, "M", "S", "`\(name)`()")
            test.hasDuplicateName = name.utf8.count % 2 == 0
            return test
        }
        for place in tests.indices {
            let words = TestArguments.swiftTesting(
                batch([place, (place + 1) % tests.count]), all: tests, chosen: tests)
            let pattern = try Regex(words[1])
            let matched = tests.indices.filter { tests[$0].selector.firstMatch(of: pattern) != nil }
            #expect(Set(matched) == [place, (place + 1) % tests.count])
        }
    }

    @Test func aWholeClassIsNamedOnce() {
        let tests =
            (0..<4).map { listed(.xctest, "M", "C", "test\($0)") } + [
                listed(.xctest, "M", "D", "testX"), listed(.xctest, "M", "D", "testY"),
            ]
        let batch = Batch(items: (0..<5).map { WorkItem(test: $0) }, binary: 0, library: .xctest, isSerial: true)
        #expect(TestArguments.xctest(batch, all: tests, chosen: tests) == ["M.C,M.D/testX"])
    }
}
