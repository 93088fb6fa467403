import Events
import TestSupport
import Testing

@Suite struct TestSummaryTests {
    private func test(_ name: String, suite: String = "S") -> TestID {
        TestID(library: .xctest, module: "M", suite: suite, name: name)
    }

    private func summary(_ events: [TestEvent], discardsPassing: Bool = false) throws -> TestSummary {
        var run = RunSummary(passed: discardsPassing ? .counts : .records)
        for (index, event) in events.enumerated() {
            run.receive(
                LaneEvent(number: index + 1, offset: .milliseconds(index * 10), step: nil, kind: .test(event)))
        }
        return try #require(run.tests(of: nil))
    }

    private func end(_ test: TestID, _ outcome: TestResult.Outcome, attempt: Int = 1, milliseconds: Int = 1)
        -> TestEvent
    {
        .ended(TestResult(test: test, outcome: outcome, duration: .milliseconds(milliseconds), attempt: attempt))
    }

    @Test func everyPlannedTestIsAccountedFor() throws {
        let names = ["passes", "fails", "skips", "crashes", "hangs", "waits", "began", "never"]
        let tests = names.map { test($0) }
        let summary = try summary(
            [.planned(tests.map { TestInfo(id: $0) })] + tests[..<7].map { .started($0, attempt: 1, worker: 1) } + [
                end(tests[0], .passed), end(tests[1], .failed), end(tests[2], .skipped(reason: nil)),
                end(tests[3], .crashed(how: "signal 4 (SIGILL)")), end(tests[4], .timedOut(after: .seconds(1))),
                end(tests[5], .notRun(reason: "--fail-fast")), .finished,
            ])
        let counts = summary.counts
        #expect(counts.planned == 8)
        #expect(counts.ended == 8)
        #expect([counts.passed, counts.failed, counts.skipped, counts.timedOut] == [1, 1, 1, 1])
        #expect((counts.crashed, counts.notRun) == (2, 2))
        #expect(counts.unsuccessful == 6)
        #expect(summary[tests[6]]?.outcome == .crashed(how: "its end was never reported"))
        #expect(summary[tests[7]]?.outcome == .notRun(reason: "no result was reported"))
        #expect(summary.runningCount == 0)
    }

    @Test func testsThatPassWhenRetriedAreFlaky() throws {
        let one = test("wavers")
        let summary = try summary([
            .planned([TestInfo(id: one)]), .started(one, attempt: 1, worker: 1),
            .issue(TestIssue(test: one, text: "no")), end(one, .failed), .started(one, attempt: 2, worker: 2),
            .issue(TestIssue(test: one, severity: .warning, text: "hm")), end(one, .passed, attempt: 2), .finished,
        ])
        #expect((summary.counts.passed, summary.counts.failed, summary.counts.flaky) == (1, 0, 1))
        let record = try #require(summary[one])
        #expect(record.isFlaky)
        #expect(record.attempts.map { $0.failures.map(\.text) } == [["no"], []])
        #expect(record.attempts.map(\.worker) == [1, 2])
    }

    /// An issue that arrives after the end of its test is followed by a second end.
    @Test func repeatedEndsAreNotCountedAgain() throws {
        let (late, other) = (test("late"), test("other"))
        let summary = try summary([
            .started(late, attempt: 1, worker: 1), end(late, .passed), end(late, .failed),
            .started(other, attempt: 1, worker: 1), end(other, .passed), .finished,
        ])
        #expect(summary.counts.failed == 1 && summary.counts.passed == 1)
        #expect(summary.passes == 1)
    }

    @Test func attemptNumbersContinueInARetriedStep() throws {
        let one = test("wavers")
        var run = RunSummary()
        let kinds: [LaneEvent.Kind] = [
            .test(.started(one, attempt: 1, worker: 1)), .test(end(one, .failed)), .test(.finished),
            .stepRetried(StepRetry(attempt: 1, attempts: 2, reason: "tests failed", delay: .zero)),
            .test(.started(one, attempt: 1, worker: 1)), .test(end(one, .passed)), .test(.finished),
        ]
        for (index, kind) in kinds.enumerated() {
            run.receive(LaneEvent(number: index, offset: .zero, step: StepID("a/1"), kind: kind))
        }
        #expect(run.tests(of: StepID("a/1"))?[one]?.attempts.map(\.number) == [1, 2])
        #expect(run.counts.flaky == 1)
        #expect(run.step(StepID("a/1"))?.attempts == 2)
    }

    @Test func repeatedLogsDoNotGrow() throws {
        let (good, bad) = (test("good"), test("bad"))
        let once: [TestEvent] = [
            .started(good, attempt: 1, worker: 0), end(good, .passed), .started(bad, attempt: 1, worker: 0),
            .issue(TestIssue(test: bad, text: "no")), end(bad, .failed),
        ]
        let summary = try summary(Array(repeating: once, count: 1000).flatMap { $0 })
        #expect(summary.counts.planned == 2)
        #expect(summary[good]?.attempts.count == 1)
        #expect(summary[bad]?.attempts.count ?? 0 <= 16)
    }

    @Test func discardedTestsAreCounted() throws {
        var events: [TestEvent] = []
        for number in 0..<100 {
            let one = test("test\(number)", suite: "S\(number % 3)")
            events += [.started(one, attempt: 1, worker: 0), end(one, .passed, milliseconds: number)]
        }
        events += [.started(test("bad"), attempt: 1, worker: 0), end(test("bad"), .failed)]
        let summary = try summary(events, discardsPassing: true)
        #expect(summary.tests.map(\.id) == [test("bad")])
        #expect((summary.counts.planned, summary.counts.passed, summary.counts.failed) == (101, 100, 1))
        #expect(summary.slowest(3).map(\.id.name) == ["test99", "test98", "test97"])
        #expect(summary.suites.count == 4)
        #expect(summary.suites.values.allSatisfy { $0.isComplete })
    }

    @Test func outputOfPassingTestsIsDiscarded() throws {
        let (good, bad) = (test("good"), test("bad"))
        let summary = try summary([
            .started(good, attempt: 1, worker: 0), .output(good, Array("a".utf8)), end(good, .passed),
            .started(bad, attempt: 1, worker: 0), .output(bad, Array("b".utf8)), .output(nil, Array("c".utf8)),
            end(bad, .failed),
        ])
        #expect(summary[good]?.attempts.last?.output == nil)
        #expect(summary[bad]?.attempts.last?.output?.text == "b")
        #expect(summary.output.text == "c")
    }

    @Test func issuesBeyondALimitAreCounted() throws {
        let one = test("loops")
        let issues = (0..<5000).map { TestEvent.issue(TestIssue(test: one, text: "\($0)")) }
        let summary = try summary([.started(one, attempt: 1, worker: 0)] + issues + [end(one, .failed)])
        #expect(summary[one]?.attempts.last?.issues.count == 100)
        #expect(summary[one]?.attempts.last?.issueCount == 5000)
    }

    /// The totals add up for each suite and as a whole, for any events.
    @Test(arguments: 0..<40, [false, true]) func totalsAddUpForAnyEvents(seed: UInt64, discardsPassing: Bool) throws {
        var random = SplitMix64(seed: seed)
        func draw(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        let tests = (0..<6).map { test("t\($0)", suite: "S\($0 % 2)") }
        let outcomes: [TestResult.Outcome] = [
            .passed, .failed, .skipped(reason: nil), .crashed(how: "x"), .timedOut(after: .zero), .notRun(reason: "x"),
        ]
        var events: [TestEvent] = []
        for _ in 0..<80 {
            let one = tests[draw(tests.count)]
            switch draw(6) {
            case 0: events.append(.planned([TestInfo(id: one)]))
            case 1, 2: events.append(.started(one, attempt: draw(3) + 1, worker: 0))
            case 3: events.append(.output(one, [65]))
            default:
                events.append(end(one, outcomes[draw(outcomes.count)], attempt: draw(3) + 1, milliseconds: draw(9)))
            }
        }
        let summary = try summary(events + [.finished], discardsPassing: discardsPassing)
        let total = summary.suites.values.reduce(TestCounts()) { $0 + $1.counts }
        #expect(total == summary.counts)
        #expect(summary.counts.planned == summary.counts.ended)
        #expect(summary.counts.flaky == summary.tests.count { $0.isFlaky })
        if !discardsPassing { #expect(summary.counts.planned == summary.tests.count) }
        #expect(summary.suites.values.allSatisfy { $0.running == 0 && $0.isComplete })
    }

    /// The totals are the same if only the number or the names of passed tests are kept. Listed tests may print, record
    /// issues and end again after their end, and the step may be retried.
    @Test(arguments: 0..<200) func discardedRecordsDoNotChangeTheTotals(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func draw(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        let tests = (0..<4).map { test("t\($0)", suite: "S\($0 % 2)") }
        let plan = LaneEvent.Kind.test(.planned(tests.map { TestInfo(id: $0) }))
        var events = [plan]
        var running: Set<TestID> = []
        for _ in 0..<30 {
            let one = tests[draw(tests.count)]
            switch draw(9) {
            case 0 where !running.contains(one), 1 where !running.contains(one), 2 where !running.contains(one):
                events.append(.test(.started(one, attempt: 1, worker: 1)))
                running.insert(one)
            case 3: events.append(.test(.output(one, [65])))
            case 4: events.append(.test(.argumentStarted(one, "1")))
            case 5:
                events.append(
                    .test(.issue(TestIssue(test: one, severity: draw(2) == 0 ? .warning : .known, text: "hm"))))
            case 6 where draw(4) == 0 && running.isEmpty:
                events += [.stepRetried(StepRetry(attempt: 1, attempts: 9, reason: "x", delay: .zero)), plan]
            default:
                let outcome = [.passed, .passed, .failed, .crashed(how: "x")][draw(4)] as TestResult.Outcome
                if outcome == .failed { events.append(.test(.issue(TestIssue(test: one, text: "no")))) }
                events.append(.test(end(one, outcome)))
                running.remove(one)
            }
        }
        events.append(.test(.finished))
        let runs = [PassedTestDetail.records, .names, .counts].map { detail in
            var run = RunSummary(passed: detail)
            for event in events { run.receive(LaneEvent(number: 1, offset: .zero, step: nil, kind: event)) }
            return run
        }
        #expect(runs[1].counts == runs[0].counts)
        #expect(runs[2].counts == runs[0].counts)
        #expect(runs[1].passes == runs[0].passes && runs[2].passes == runs[0].passes)
        let named = try #require(runs[1].tests(of: nil))
        for suite in named.passedTests.suites {
            let names = (0..<named.passedTests.count(of: suite)).compactMap {
                named.passedTests.test($0, of: suite)?.name
            }
            #expect(Set(names).count == names.count)
            #expect(!named.tests.contains { SuiteID($0.id) == suite && names.contains($0.id.name) })
        }
    }
}
