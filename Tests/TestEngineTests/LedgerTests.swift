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

    /// Alone each tells whether it hangs, until many have done so.
    @Test(arguments: [(0, []), (3, [0, 1, 2]), (4, [0, 1, 2, 3, 4, 5])])
    func testsThatWereLateInACrowdRunAlone(hanging: Int, timedOut: [Int]) {
        var ledger = ledger(6)
        while case .some(.some) = ledger.next() { ledger.batchEnded() }
        for test in 0..<6 {
            let issue = TestIssue(test: ledger.tests[test].id, severity: .failure, text: "late", at: nil)
            ledger.remember(Lateness(duration: .seconds(2), issue: issue), of: test)
            ledger.again([WorkItem(test: test, company: .none)])
        }
        let events = run(&ledger) { $0.test < hanging ? .timedOut(after: .seconds(2)) : .passed }
        let late = ledger.results.indices.filter { ledger.results[$0]?.outcome == .timedOut(after: .seconds(2)) }
        #expect(late == timedOut)
        #expect(ledger.counts.passed == 6 - timedOut.count)
        // Those that ran alone have told of themselves.
        let told = events.count { if case .issue = $0 { true } else { false } }
        #expect(told == (hanging == 4 ? 2 : 0))
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

    @Test func aCrashThatNobodyTakesUponItselfFailsTheRun() {
        var ledger = ledger(2)
        let issue = TestIssue(test: nil, text: "crashed while two ran")
        ledger.suspect([0, 1], of: issue)
        let events = run(&ledger) { _ in .passed }
        #expect(events.contains(.issue(issue)))
        #expect(ledger.runIssues == [issue])
        #expect(ledger.outside == .fault)
        #expect(ledger.counts.passed == 2)
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
