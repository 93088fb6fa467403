import Events
import TestSupport
import Testing

@testable import TestEngine

/// Tests that compare combinations of hanging, crashing, failing, slow and serial tests with the results of each one
/// alone.
@Suite struct ModelTests {
    @Test func everyTestHasItsOwnVerdict() {
        checkProperty("own verdicts", ModelSuite.generator, cases: 400) { suite in
            let end = try ModelRun(suite).run()
            for (index, test) in suite.tests.enumerated() {
                guard let record = end.record(suite.id(index)), let outcome = record.outcome else {
                    throw Mismatch(description: "test \(index) has no result")
                }
                if end.recorded.contains(index) {
                    guard outcome.isFailure || suite.retries > 0 && record.isFlaky else {
                        throw Mismatch(description: "test \(index) recorded a failure and is \(outcome)")
                    }
                    if case .hangsInCompany = test.behavior { continue }
                }
                guard test.behavior.isOwn(outcome) else {
                    throw Mismatch(description: "test \(index) \(test.behavior) is \(outcome)")
                }
                if end.late.contains(index), outcome == .passed, !record.isFlaky {
                    throw Mismatch(description: "test \(index) hung once and is not flaky")
                }
                // A test that waited for a thread has not hung.
                if case .works = test.behavior, record.isFlaky {
                    throw Mismatch(description: "test \(index) had to wait and is flaky")
                }
            }
            return true
        }
    }

    @Test func theBooksAddUp() {
        checkProperty("books", ModelSuite.generator, cases: 200) { suite in
            let end = try ModelRun(suite).run()
            _ = try expectEqual(end.tracker.counts, end.summary?.counts ?? TestCounts(), "counts")
            _ = try expectEqual(end.tracker.counts.ended, suite.tests.count, "ended")
            let isReported =
                end.tracker.outside != .nothing || end.tracker.counts.crashed + end.tracker.counts.timedOut > 0
            if end.hasCrashed, !isReported { throw Mismatch(description: "a crash was forgotten") }
            let texts = end.summary?.tests.flatMap { $0.attempts.flatMap(\.failures) } ?? []
            let failing = Set(texts.filter { $0.text == "a failure" }.compactMap(\.test))
            return try expectEqual(failing, Set(end.recorded.map(suite.id)), "tests whose failures are told")
        }
    }
}

/// The engine's state with the processes of a model.
private struct ModelRun {
    let suite: ModelSuite
    var tracker: TestTracker
    private var lane = RunSummary()
    private var number = 0
    /// The tests that recorded a failure in any process.
    private(set) var recorded: Set<Int> = []
    /// The tests that hung together with others, so that their process was ended.
    private(set) var late: Set<Int> = []
    private(set) var hasCrashed = false
    private let times: TestTimes

    init(_ suite: ModelSuite) {
        self.suite = suite
        var options = TestOptions()
        options.attempts.retries = suite.retries
        options.times.timeout = .seconds(10)
        times = options.times
        tracker = TestTracker(tests: suite.listed, options: options, workers: suite.workers, duration: { _ in nil })
    }

    var summary: TestSummary? { lane.tests.first?.summary }

    func record(_ test: TestID) -> TestRecord? { summary?[test] }

    consuming func run() throws -> ModelRun {
        var random = SplitMix64(seed: suite.seed)
        emit(.planned(suite.listed.map(\.info)))
        var running: [Batch] = []
        var processes = 0
        while true {
            while running.count < suite.workers, case .some(.some(let batch)) = tracker.next() { running.append(batch) }
            if running.isEmpty { break }
            processes += 1
            if processes > 6 * suite.tests.count + 10 { throw Mismatch(description: "the run does not end") }
            run(running.remove(at: Int.random(in: running.indices, using: &random)), &random)
        }
        for event in tracker.close() { emit(event) }
        return self
    }

    private mutating func run(_ batch: Batch, _ random: inout SplitMix64) {
        let items = batch.isSerial ? batch.items : batch.items.shuffled(using: &random)
        var process = ModelProcess(batch, of: suite, times, shuffled: items)
        var events: [TestEvent] = []
        let before = recorded
        let state = withEvents(&process)
        recorded = before.union(process.recorded)
        hasCrashed = hasCrashed || process.hasCrashed
        let analysis = ExitAnalysis(of: state, tests: suite.listed, timeout: times.timeout)
        for (item, disposition) in analysis.dispositions { if case .late = disposition { late.insert(item.test) } }
        events += tracker.settle(analysis)
        tracker.batchEnded()
        for event in events { emit(event) }
    }

    private mutating func withEvents(_ process: inout ModelProcess) -> ExitAnalysis.ProcessState {
        var told: [TestEvent] = []
        var tracker = self.tracker
        let state = process.run(
            { told.append($0) }, { item, outcome, duration in told += tracker.end(item, outcome, duration) })
        self.tracker = tracker
        for event in told { emit(event) }
        return state
    }

    private mutating func emit(_ event: TestEvent) {
        number += 1
        lane.receive(LaneEvent(number: number, offset: .zero, step: StepID("test"), kind: .test(event)))
    }
}
