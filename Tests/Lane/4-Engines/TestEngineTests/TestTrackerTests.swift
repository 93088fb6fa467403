import Events
import TestSupport
import Testing

@testable import TestEngine

@Suite struct TestTrackerTests {
    private func tracker(_ count: Int, _ change: (inout TestOptions) -> Void = { _ in }) -> TestTracker {
        var options = TestOptions()
        change(&options)
        return TestTracker(
            tests: (0..<count).map { listed(.xctest, "M", "C", "test\($0)") }, options: options, workers: 2,
            duration: { _ in nil })
    }

    /// Runs all batches with results from `outcome`.
    private func run(_ tracker: inout TestTracker, _ outcome: (WorkItem) -> TestResult.Outcome) -> [TestEvent] {
        var events: [TestEvent] = []
        while case .some(.some(let batch)) = tracker.next() {
            for item in batch.items where tracker.stop == nil {
                events += tracker.end(item, outcome(item), .milliseconds(1))
            }
            tracker.batchEnded()
        }
        return events + tracker.close()
    }

    @Test func aTestThatFailsIsTriedAgainAndIsFlaky() {
        var tracker = tracker(3) { $0.attempts.retries = 2 }
        let events = run(&tracker) { $0.test == 1 && $0.attempt < 3 ? .failed : .passed }
        #expect(tracker.counts.passed == 3)
        #expect(tracker.counts.flaky == 1)
        let attempts = events.compactMap { if case .ended(let result) = $0 { result.attempt } else { nil } }
        #expect(attempts.sorted() == [1, 1, 1, 2, 3])
    }

    @Test func anEndThatWasOnlyPrintedIsCorrected() {
        var tracker = tracker(2) { $0.attempts.retries = 1 }
        _ = tracker.next()
        #expect(tracker.end(WorkItem(test: 0), .passed, .zero).count == 1)
        #expect(tracker.counts.passed == 1)
        #expect(tracker.end(WorkItem(test: 0), .failed, .zero).count == 1)
        // It is retried like any other failed test, and its last result counts.
        #expect(tracker.counts.passed == 0)
        _ = tracker.end(WorkItem(test: 0, attempt: 2), .failed, .zero)
        #expect(tracker.counts.failed == 1)
        #expect(tracker.end(WorkItem(test: 0, attempt: 2), .passed, .zero).isEmpty)
        #expect(tracker.counts.failed == 1)
    }

    /// Each test is judged by its result when it runs alone, regardless of other tests that hang.
    @Test(arguments: [0, 3, 40]) func testsThatWereLateBesideOthersRunOnTheirOwn(hanging: Int) {
        var tracker = tracker(40)
        while case .some(.some) = tracker.next() { tracker.batchEnded() }
        for test in 0..<40 { _ = tracker.endLate(WorkItem(test: test), lateness(of: test, in: tracker)) }
        _ = run(&tracker) { $0.test < hanging ? .timedOut(after: .seconds(2)) : .passed }
        #expect(tracker.results.map { $0?.outcome == .passed } == (0..<40).map { $0 >= hanging })
        #expect((tracker.counts.timedOut, tracker.counts.flaky) == (hanging, 40 - hanging))
    }

    private func lateness(of test: Int, in tracker: TestTracker) -> Lateness {
        Lateness(duration: .seconds(2), issue: TestIssue(test: tracker.tests[test].id, text: "late"))
    }

    /// An interrupted attempt that is repeated keeps its recorded failures.
    @Test(arguments: [TestResult.Outcome.passed, .skipped(reason: nil), .notRun(reason: "stopped")])
    func aRecordedFailureStays(_ outcome: TestResult.Outcome) {
        var tracker = tracker(3)
        _ = tracker.next()
        for test in 0..<3 { tracker.rememberFailure(of: test) }
        _ = tracker.end(WorkItem(test: 0), outcome, nil)
        #expect(tracker.endLate(WorkItem(test: 1), lateness(of: 1, in: tracker)).count == 1)
        _ = tracker.end(WorkItem(test: 1), outcome, nil)
        tracker.halt(.cancelled)
        _ = tracker.close()
        #expect(tracker.counts.failed == 3)
    }

    /// If a run stops before the next attempt, the result of the last one is final.
    @Test func aFailureBeforeTheStopStays() {
        var tracker = tracker(2) { $0.attempts.retries = 3 }
        _ = tracker.next()
        _ = tracker.end(WorkItem(test: 0), .failed, nil)
        tracker.halt(.cancelled)
        let events = tracker.close()
        #expect((tracker.counts.failed, tracker.counts.notRun) == (1, 1))
        #expect(events.count == 2)
    }

    /// A lane may allow retries, but repeated tests are meant to find a failure.
    @Test func repetitionsWinOverRetries() {
        var tracker = tracker(2) {
            $0.attempts.repetitions = 5
            $0.attempts.retries = 2
        }
        let events = run(&tracker) { $0.attempt == 3 && $0.test == 1 ? .failed : .passed }
        #expect(tracker.results.map { $0?.attempt } == [5, 3])
        #expect(tracker.counts.failed == 1)
        #expect(events.count { if case .ended = $0 { true } else { false } } == 8)
    }

    @Test func repetitionsStopAtTheFirstFailure() {
        var tracker = tracker(2) { $0.attempts.repetitions = 5 }
        let events = run(&tracker) { $0.test == 0 && $0.attempt == 3 ? .failed : .passed }
        #expect(events.count { if case .ended = $0 { true } else { false } } == 3 + 5)
        #expect((tracker.counts.failed, tracker.counts.passed) == (1, 1))
    }

    @Test func failFastLeavesTheRestUnrun() {
        var tracker = tracker(400) { $0.attempts.failFast = true }
        _ = run(&tracker) { _ in .failed }
        let counts = tracker.counts
        #expect(counts.failed == 1)
        #expect(counts.notRun == 399)
        #expect(counts.ended == 400)
    }

    @Test func workThatIsOutMayComeBack() throws {
        var tracker = tracker(1)
        let batch = try #require(tracker.next() ?? nil)
        #expect(tracker.next() == .none)
        tracker.again(batch.items)
        tracker.batchEnded()
        #expect(tracker.next() == .some(.some(batch)))
    }

    @Test func aCrashThatWasSeenIsNotForgotten() throws {
        var tracker = tracker(1)
        let batch = try #require(tracker.next() ?? nil)
        let issue = TestIssue(test: tracker.tests[0].id, text: "boom")
        tracker.remember(CrashEvidence(how: "signal 4", issue: issue), of: 0)
        let events = tracker.end(batch.items[0], .passed, nil)
        #expect(events.first == .issue(issue))
        #expect(tracker.counts.crashed == 1)
    }

    /// A process crashed or failed while both ran. If neither does so again, the run fails.
    @Test(arguments: [true, false], [TestResult.Outcome.passed, .failed, .crashed(how: "x")])
    func aSuspicionIsClearedByATestThatDoesSoAgain(isCrash: Bool, again: TestResult.Outcome) {
        var tracker = tracker(2)
        let issue = TestIssue(test: nil, text: "ended while two ran")
        tracker.recordSuspicion([0, 1], of: issue, isCrash: isCrash)
        let events = run(&tracker) { $0.test == 0 ? again : .passed }
        let isCleared = isCrash ? again == .crashed(how: "x") : again != .passed
        #expect(events.contains(.issue(issue)) != isCleared)
        #expect(tracker.runIssues == (isCleared ? [] : [issue]))
        #expect(tracker.outside == (isCleared ? .nothing : isCrash ? .fault : .issue))
    }

    @Test(arguments: 0..<100) func everyTestHasAnEndWhateverHappens(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var tracker = tracker(20) { $0.attempts.retries = 1 }
        while case .some(.some(let batch)) = tracker.next() {
            for item in batch.items {
                switch Int.random(in: 0..<16, using: &random) {
                case 0: _ = tracker.end(item, .crashed(how: "x"), nil)
                case 1: _ = tracker.end(item, .timedOut(after: .zero), nil)
                case 2: tracker.again([item])
                case 3: if Int.random(in: 0..<64, using: &random) == 0 { tracker.halt(.cancelled) }
                case 4: _ = tracker.end(item, .failed, nil)
                default: _ = tracker.end(item, .passed, nil)
                }
            }
            tracker.batchEnded()
        }
        let last = tracker.close().last
        #expect(last == .finished)
        #expect(tracker.counts.ended == 20)
    }
}
