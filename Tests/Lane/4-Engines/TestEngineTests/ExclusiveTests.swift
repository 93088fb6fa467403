import Events
import TestSupport
import Testing

@testable import TestEngine

/// Tests of tests that run alone.
@Suite struct ExclusiveTests {
    /// The exclusive tests, the tests that fail first, and the order of processes.
    private struct Example {
        let exclusive: [Bool]
        let failing: [Bool]
        let turns: [Int]
    }

    private static let examples: Generator<Example> = zip(
        Generator<Int>.integer(in: 0...1).array(count: 1...12), Generator<Int>.integer(in: 0...1).array(count: 12...12),
        Generator<Int>.integer(in: 0...3).array(count: 40...40)
    ).map { exclusive, failing, turns in
        Example(exclusive: exclusive.map { $0 == 1 }, failing: failing.map { $0 == 1 }, turns: turns)
    }

    @Test(arguments: [1, 2, 16]) func nothingRunsBesideAnExclusiveTest(workers: Int) {
        checkProperty("exclusive tests run alone, \(workers) workers", Self.examples) { example in
            let tests = example.exclusive.enumerated().map { index, isExclusive in
                var test = listed(index % 3 == 0 ? .swiftTesting : .xctest, "M", "C\(index % 2)", "test\(index)()")
                test.isExclusive = isExclusive
                return test
            }
            var options = TestOptions()
            options.attempts.retries = 1
            var tracker = TestTracker(tests: tests, options: options, workers: workers, duration: { _ in nil })
            var open: [Batch] = []
            var turns = example.turns.makeIterator()
            while true {
                let begins = open.count < workers && (turns.next() ?? 0) > 0
                if begins || open.isEmpty {
                    switch tracker.next() {
                    case .some(.some(let batch)): open.append(batch)
                    case .some(nil) where open.isEmpty: return tracker.counts.passed == tests.count
                    default: if open.isEmpty { return try expectEqual("waiting for nothing", "") }
                    }
                    let isAlone = open.count == 1 && open[0].items.count == 1
                    let hasExclusive = open.contains { $0.items.contains { example.exclusive[$0.test] } }
                    if hasExclusive, !isAlone { return try expectEqual(open.map(\.items.count), [1], "open batches") }
                }
                guard !begins, !open.isEmpty else { continue }
                for item in open.removeFirst().items {
                    let fails = example.failing[item.test] && item.attempt == 1
                    _ = tracker.end(item, fails ? .failed : .passed, .milliseconds(1))
                }
                tracker.batchEnded()
            }
        }
    }

    @Test func patternsMakeTestsExclusive() throws {
        var options = TestOptions()
        options.choice.exclusive = ["C/slow*", "Other"]
        let tests = [
            listed(.xctest, "M", "C", "slowOne"), listed(.xctest, "M", "C", "quick"),
            listed(.swiftTesting, "M", "Other", "f()"),
        ]
        let selection = try TestSelection(of: tests, options: options, history: nil)
        #expect(selection.tests.map(\.isExclusive) == [true, false, true])
    }
}
