import LaneEvents
import TestSupport
import Testing

@testable import TestEngine

@Suite struct LedgerTests {
    private func ledger(_ count: Int, _ change: (inout TestOptions) -> Void = { _ in }) -> Ledger {
        var options = TestOptions()
        change(&options)
        return Ledger(
            tests: (0..<count).map { listed(.xctest, "M", "C", "test\($0)") }, options: options, workers: 2,
            duration: { _ in nil })
    }

    /// Runs all that is dealt, with outcomes from `outcome`, until nothing is left.
    private func run(_ ledger: inout Ledger, _ outcome: (WorkItem) -> TestResult.Outcome) -> [TestEvent] {
        var events: [TestEvent] = []
        while case .some(.some(let batch)) = ledger.next() {
            for item in batch.items where ledger.stop == nil {
                events += ledger.end(item, outcome(item), .milliseconds(1))
            }
            ledger.batchEnded()
        }
        return events + ledger.close()
    }

    @Test func aTestThatFailsIsTriedAgainAndIsFlaky() {
        var ledger = ledger(3) { $0.attempts.retries = 2 }
        let events = run(&ledger) { $0.test == 1 && $0.attempt < 3 ? .failed : .passed }
        #expect(ledger.counts.passed == 3)
        #expect(ledger.counts.flaky == 1)
        let attempts = events.compactMap { if case .ended(let result) = $0 { result.attempt } else { nil } }
        #expect(attempts.sorted() == [1, 1, 1, 2, 3])
    }

    @Test func anEndThatWasOnlyPrintedIsCorrected() {
        var ledger = ledger(2) { $0.attempts.retries = 1 }
        _ = ledger.next()
        #expect(ledger.end(WorkItem(test: 0), .passed, .zero).count == 1)
        #expect(ledger.counts.passed == 1)
        #expect(ledger.end(WorkItem(test: 0), .failed, .zero).count == 1)
        // It is tried again like any other that failed, and its last word counts.
        #expect(ledger.counts.passed == 0)
        _ = ledger.end(WorkItem(test: 0, attempt: 2), .failed, .zero)
        #expect(ledger.counts.failed == 1)
        #expect(ledger.end(WorkItem(test: 0, attempt: 2), .passed, .zero).isEmpty)
        #expect(ledger.counts.failed == 1)
    }

    /// However many hang, each test is judged by how it does on its own.
    @Test(arguments: [0, 3, 40]) func testsThatWereLateBesideOthersRunOnTheirOwn(hanging: Int) {
        var ledger = ledger(40)
        while case .some(.some) = ledger.next() { ledger.batchEnded() }
        for test in 0..<40 { _ = ledger.endLate(WorkItem(test: test), lateness(of: test, in: ledger)) }
        _ = run(&ledger) { $0.test < hanging ? .timedOut(after: .seconds(2)) : .passed }
        #expect(ledger.results.map { $0?.outcome == .passed } == (0..<40).map { $0 >= hanging })
        #expect((ledger.counts.timedOut, ledger.counts.flaky) == (hanging, 40 - hanging))
    }

    private func lateness(of test: Int, in ledger: Ledger) -> Lateness {
        Lateness(duration: .seconds(2), issue: TestIssue(test: ledger.tests[test].id, text: "late"))
    }

    /// An attempt that is cut off and made again cannot lose what it has recorded.
    @Test(arguments: [TestResult.Outcome.passed, .skipped(reason: nil), .notRun(reason: "stopped")])
    func aRecordedFailureStays(_ outcome: TestResult.Outcome) {
        var ledger = ledger(3)
        _ = ledger.next()
        for test in 0..<3 { ledger.rememberFailure(of: test) }
        _ = ledger.end(WorkItem(test: 0), outcome, nil)
        #expect(ledger.endLate(WorkItem(test: 1), lateness(of: 1, in: ledger)).count == 1)
        _ = ledger.end(WorkItem(test: 1), outcome, nil)
        ledger.halt(.cancelled)
        _ = ledger.close()
        #expect(ledger.counts.failed == 3)
    }

    /// A run that stops before the next attempt ends with what the last one came to.
    @Test func aFailureBeforeTheStopStays() {
        var ledger = ledger(2) { $0.attempts.retries = 3 }
        _ = ledger.next()
        _ = ledger.end(WorkItem(test: 0), .failed, nil)
        ledger.halt(.cancelled)
        let events = ledger.close()
        #expect((ledger.counts.failed, ledger.counts.notRun) == (1, 1))
        #expect(events.count == 2)
    }

    /// A lane may allow retries, and somebody who repeats its tests all the same looks for a failure.
    @Test func repetitionsWinOverRetries() {
        var ledger = ledger(2) {
            $0.attempts.repetitions = 5
            $0.attempts.retries = 2
        }
        let events = run(&ledger) { $0.attempt == 3 && $0.test == 1 ? .failed : .passed }
        #expect(ledger.results.map { $0?.attempt } == [5, 3])
        #expect(ledger.counts.failed == 1)
        #expect(events.count { if case .ended = $0 { true } else { false } } == 8)
    }

    @Test func repetitionsStopAtTheFirstFailure() {
        var ledger = ledger(2) { $0.attempts.repetitions = 5 }
        let events = run(&ledger) { $0.test == 0 && $0.attempt == 3 ? .failed : .passed }
        #expect(events.count { if case .ended = $0 { true } else { false } } == 3 + 5)
        #expect((ledger.counts.failed, ledger.counts.passed) == (1, 1))
    }

    @Test func failFastLeavesTheRestUnrun() {
        var ledger = ledger(400) { $0.attempts.failFast = true }
        _ = run(&ledger) { _ in .failed }
        let counts = ledger.counts
        #expect(counts.failed == 1)
        #expect(counts.notRun == 399)
        #expect(counts.ended == 400)
    }

    @Test func workThatIsOutMayComeBack() throws {
        var ledger = ledger(1)
        let batch = try #require(ledger.next() ?? nil)
        #expect(ledger.next() == .none)
        ledger.again(batch.items)
        ledger.batchEnded()
        #expect(ledger.next() == .some(.some(batch)))
    }

    @Test func aCrashThatWasSeenIsNotForgotten() throws {
        var ledger = ledger(1)
        let batch = try #require(ledger.next() ?? nil)
        let issue = TestIssue(test: ledger.tests[0].id, text: "boom")
        ledger.remember(CrashEvidence(how: "signal 4", issue: issue), of: 0)
        let events = ledger.end(batch.items[0], .passed, nil)
        #expect(events.first == .issue(issue))
        #expect(ledger.counts.crashed == 1)
    }

    /// A process crashed or failed while both ran. If neither does so again, the run fails.
    @Test(arguments: [true, false], [TestResult.Outcome.passed, .failed, .crashed(how: "x")])
    func aSuspicionIsClearedByATestThatDoesSoAgain(isCrash: Bool, again: TestResult.Outcome) {
        var ledger = ledger(2)
        let issue = TestIssue(test: nil, text: "ended while two ran")
        ledger.suspect([0, 1], of: issue, isCrash: isCrash)
        let events = run(&ledger) { $0.test == 0 ? again : .passed }
        let isCleared = isCrash ? again == .crashed(how: "x") : again != .passed
        #expect(events.contains(.issue(issue)) != isCleared)
        #expect(ledger.runIssues == (isCleared ? [] : [issue]))
        #expect(ledger.outside == (isCleared ? .nothing : isCrash ? .fault : .issue))
    }

    @Test(arguments: 0..<100) func everyTestHasAnEndWhateverHappens(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var ledger = ledger(20) { $0.attempts.retries = 1 }
        while case .some(.some(let batch)) = ledger.next() {
            for item in batch.items {
                switch Int.random(in: 0..<16, using: &random) {
                case 0: _ = ledger.end(item, .crashed(how: "x"), nil)
                case 1: _ = ledger.end(item, .timedOut(after: .zero), nil)
                case 2: ledger.again([item])
                case 3: if Int.random(in: 0..<64, using: &random) == 0 { ledger.halt(.cancelled) }
                case 4: _ = ledger.end(item, .failed, nil)
                default: _ = ledger.end(item, .passed, nil)
                }
            }
            ledger.batchEnded()
        }
        let last = ledger.close().last
        #expect(last == .finished)
        #expect(ledger.counts.ended == 20)
    }
}
