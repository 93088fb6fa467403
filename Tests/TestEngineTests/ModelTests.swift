import LaneEvents
import TestSupport
import Testing

@testable import TestEngine

/// Companies of hanging, crashing, failing, slow and serial tests against what each of them does on its own.
@Suite struct ModelTests {
    @Test func everyTestHasItsOwnVerdict() {
        checkProperty("own verdicts", ModelSuite.generator, cases: 1_000) { suite in
            let end = try ModelRun(suite).run()
            for (index, test) in suite.tests.enumerated() {
                guard let record = end.record(suite.id(index)), let outcome = record.outcome else {
                    throw Mismatch(description: "test \(index) has no result")
                }
                if end.recorded.contains(index) {
                    guard outcome.isFailure || suite.retries > 0 && record.isFlaky else {
                        throw Mismatch(description: "test \(index) recorded a failure and is \(outcome)")
                    }
                    if case .hangsInCompany = test.behaviour { continue }
                }
                guard test.behaviour.isOwn(outcome) else {
                    throw Mismatch(description: "test \(index) \(test.behaviour) is \(outcome)")
                }
                if end.late.contains(index), outcome == .passed, !record.isFlaky {
                    throw Mismatch(description: "test \(index) hung once and is not flaky")
                }
                // One that waited for a thread has not hung.
                if case .works = test.behaviour, record.isFlaky {
                    throw Mismatch(description: "test \(index) had to wait and is flaky")
                }
            }
            return true
        }
    }

    @Test func theBooksAddUp() {
        checkProperty("books", ModelSuite.generator, cases: 500) { suite in
            let end = try ModelRun(suite).run()
            _ = try expectEqual(end.ledger.counts, end.summary?.counts ?? TestCounts(), "counts")
            _ = try expectEqual(end.ledger.counts.ended, suite.tests.count, "ended")
            let isReported =
                end.ledger.outside != .nothing || end.ledger.counts.crashed + end.ledger.counts.timedOut > 0
            if end.hasCrashed, !isReported { throw Mismatch(description: "a crash was forgotten") }
            let texts = end.summary?.tests.flatMap { $0.attempts.flatMap(\.failures) } ?? []
            let failing = Set(texts.filter { $0.text == "a failure" }.compactMap(\.test))
            return try expectEqual(failing, Set(end.recorded.map(suite.id)), "tests whose failures are told")
        }
    }
}

/// The engine's books over the processes of a model.
private struct ModelRun {
    let suite: ModelSuite
    var ledger: Ledger
    private var lane = RunSummary()
    private var number = 0
    /// Tests that recorded a failure in any process.
    private(set) var recorded: Set<Int> = []
    /// Tests that hung beside others, on whose account their process was ended.
    private(set) var late: Set<Int> = []
    private(set) var hasCrashed = false
    private let times: TestTimes

    init(_ suite: ModelSuite) {
        self.suite = suite
        var options = TestOptions()
        options.attempts.retries = suite.retries
        options.times.timeout = .seconds(10)
        times = options.times
        ledger = Ledger(tests: suite.listed, options: options, workers: suite.workers, duration: { _ in nil })
    }

    var summary: TestSummary? { lane.tests.first?.summary }

    func record(_ test: TestID) -> TestRecord? { summary?[test] }

    consuming func run() throws -> ModelRun {
        var random = SplitMix64(seed: suite.seed)
        emit(.planned(suite.listed.map(\.info)))
        var running: [Batch] = []
        var processes = 0
        while true {
            while running.count < suite.workers, case .some(.some(let batch)) = ledger.next() { running.append(batch) }
            if running.isEmpty { break }
            processes += 1
            if processes > 6 * suite.tests.count + 10 { throw Mismatch(description: "the run does not end") }
            run(running.remove(at: Int.random(in: running.indices, using: &random)), &random)
        }
        for event in ledger.close() { emit(event) }
        return self
    }

    private mutating func run(_ batch: Batch, _ random: inout SplitMix64) {
        let items = batch.isSerial ? batch.items : batch.items.shuffled(using: &random)
        var process = ModelProcess(batch, of: suite, times, shuffled: items)
        var events: [TestEvent] = []
        let before = recorded
        let scene = withEvents(&process)
        recorded = before.union(process.recorded)
        hasCrashed = hasCrashed || process.hasCrashed
        let aftermath = Aftermath(of: scene, tests: suite.listed, timeout: times.timeout)
        for (item, fate) in aftermath.fates { if case .late = fate { late.insert(item.test) } }
        events += ledger.settle(aftermath)
        ledger.batchEnded()
        for event in events { emit(event) }
    }

    private mutating func withEvents(_ process: inout ModelProcess) -> Aftermath.Scene {
        var told: [TestEvent] = []
        var ledger = self.ledger
        let scene = process.run(
            { told.append($0) }, { item, outcome, duration in told += ledger.end(item, outcome, duration) })
        self.ledger = ledger
        for event in told { emit(event) }
        return scene
    }

    private mutating func emit(_ event: TestEvent) {
        number += 1
        lane.receive(LaneEvent(number: number, offset: .zero, step: StepID("test"), kind: .test(event)))
    }
}
