import Events
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@testable import TestEngine

@Suite("Rules for some tests")
struct TestRuleTests {
    private static let tests = [
        listed(.xctest, "M", "Fast", "testA"), listed(.xctest, "M", "Slow", "testB"),
        listed(.swiftTesting, "M", "Slow", "c()"),
    ]

    private static func rule(_ pattern: String, _ change: (inout TestRule) -> Void = { _ in }) -> TestRule {
        var rule = TestRule(patterns: [pattern])
        change(&rule)
        return rule
    }

    /// Returns the tests with their rules, and the warnings.
    private func ruled(_ rules: [TestRule]) throws -> (tests: [ListedTest], texts: [String?], warnings: [String]) {
        let warnings = Warnings()
        var options = TestOptions()
        options.rules = rules
        let engine = TestEngine(
            options: options, package: "/", environment: [:], processes: ChildRunner(), cancellation: Cancellation(),
            history: nil, events: EventClosure { if case .message(let message) = $0 { warnings.add(message.text) } })
        let tests = try engine.ruled(Self.tests, among: Self.tests)
        return (tests, tests.map(engine.ruleText), warnings.texts)
    }

    @Test("The first rule that matches decides, also about options that it lacks")
    func firstRule() throws {
        let found = try ruled([
            Self.rule("M.Slow/testB") { $0.timeout = .seconds(120) },
            Self.rule("Slow") {
                $0.retries = 2
                $0.isExclusive = true
                $0.slowAfter = .milliseconds(1500)
            },
        ])
        #expect(
            found.texts == [nil, "rule 1, timeout: 2 min", "rule 2, retries: 2, exclusive: true, slow: 1.5 s"])
        #expect(found.tests.map(\.timeout) == [nil, .seconds(120), nil])
        #expect(found.tests.map(\.retries) == [nil, nil, 2])
        #expect(found.tests.map(\.slowAfter) == [nil, nil, .milliseconds(1500)])
        #expect(found.tests.map(\.isExclusive) == [false, false, true])
        #expect(found.warnings.isEmpty)
    }

    @Test("A rule that matches no test is a warning")
    func noMatch() throws {
        let found = try ruled([Self.rule("Fast"), Self.rule("Slwo") { $0.retries = 1 }])
        #expect(found.texts == ["rule 1, no options", nil, nil])
        #expect(found.warnings == ["rule 2 (Slwo) matches no test; did you mean 'Slow'?"])
    }

    @Test("A test has the retries of its rule")
    func retries() {
        var tests = Self.tests
        (tests[0].retries, tests[1].retries) = (0, 3)
        var options = TestOptions()
        options.attempts.retries = 1
        var tracker = TestTracker(tests: tests, options: options, workers: 1, duration: { _ in nil })
        while case .some(.some(let batch)) = tracker.next() {
            for item in batch.items { _ = tracker.end(item, .failed, .zero) }
            tracker.batchEnded()
        }
        #expect(tracker.results.map { $0?.attempt } == [1, 4, 2])
    }

    @Test("A test has the time limits of its rule")
    func times() {
        let items = (0..<2).map { WorkItem(test: $0) }
        var progress = BatchProgress(
            Batch(items: items, binary: 0, library: .swiftTesting, isSerial: false), threads: 2)
        for item in items { _ = progress.begin(item, at: .zero) }
        func times(_ test: Int) -> TestTimes {
            TestTimes(timeout: .seconds(test == 0 ? 2 : 20), slowAfter: .seconds(test == 0 ? 1 : 10))
        }
        #expect(progress.check(at: .seconds(1), times).slow.map(\.test) == [0])
        _ = progress.check(at: .seconds(2), times)
        #expect(progress.late == [0])
        #expect(progress.check(at: .seconds(10), times).slow.map(\.test).contains(1))
        _ = progress.check(at: .seconds(20), times)
        #expect(progress.late == [0, 1])
    }
}

private final class Warnings: Sendable {
    private let state = Mutex<[String]>([])
    var texts: [String] { state.withLock { $0 } }
    func add(_ text: String) { state.withLock { $0.append(text) } }
}
