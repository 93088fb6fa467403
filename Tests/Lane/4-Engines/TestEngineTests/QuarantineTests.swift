import Events
import TestSupport
import Testing
import Text

@testable import TestEngine

@Suite(.serialized, .engineTurn) struct QuarantineTests {
    private let test = TestID(library: .swiftTesting, module: "M", suite: "S", name: "t()")

    @Test func aFailureBecomesAKnownIssue() {
        let issue = TestEvent.issue(TestIssue(test: test, text: "1 == 2"))
        guard case .issue(let excused) = issue.excusing([test: "quarantined"]) else { return #expect(Bool(false)) }
        #expect(excused.severity == .known)
        #expect(excused.text == "1 == 2")
        #expect(issue.excusing([:]) == issue)
    }

    @Test(
        arguments: [
            (.failed, "failed"), (.crashed(how: "signal 4"), "crashed"), (.timedOut(after: .seconds(1)), "timed out"),
        ] as [(TestResult.Outcome, String)])
    func aFailedTestCountsAsSkipped(_ outcome: TestResult.Outcome, _ verb: String) {
        let ended = TestEvent.ended(TestResult(test: test, outcome: outcome, duration: nil))
        let reason = "\(verb), and is quarantined until 2026-12-31: later"
        #expect(
            ended.excusing([test: "quarantined until 2026-12-31: later"])
                == .ended(TestResult(test: test, outcome: .skipped(reason: reason), duration: nil, isExcused: true)))
    }

    @Test func otherResultsStayAsTheyAre() {
        for outcome in [TestResult.Outcome.passed, .skipped(reason: nil), .notRun(reason: "stopped")] {
            let ended = TestEvent.ended(TestResult(test: test, outcome: outcome, duration: nil))
            #expect(ended.excusing([test: "quarantined"]) == ended)
        }
    }

    @Test func aQuarantinedFailureDoesNotStopTheRun() {
        var tests = (0..<3).map { listed(.xctest, "M", "C", "test\($0)") }
        tests[0].quarantine = "quarantined"
        var options = TestOptions()
        options.attempts.failFast = true
        var tracker = TestTracker(tests: tests, options: options, workers: 1, duration: { _ in nil })
        for test in 0..<3 { _ = tracker.end(WorkItem(test: test), test == 0 ? .failed : .passed, .zero) }
        #expect(tracker.stop == nil)
        #expect((tracker.counts.passed, tracker.counts.failed, tracker.counts.skipped) == (2, 0, 1))
    }

    @Test(.needsNewTesting) func aRunOfQuarantinedTestsIsGreen() throws {
        let date = try #require(CivilDate(iso8601: "2030-01-31"))
        let run = try EngineRun(.demo) { options in
            options.choice.filter = ["failing()", "freeFunction()"]
            options.quarantine = [
                QuarantineEntry(pattern: "failing()", reason: "later", lastDay: date),
                QuarantineEntry(pattern: "failling()", reason: "later", lastDay: date),
            ]
        }
        #expect(run.verdict.status == .done)
        let tests = try #require(run.tests)
        #expect((tests.counts.passed, tests.counts.skipped, tests.counts.knownIssues) == (1, 1, 1))
        let excused = run.events.compactMap { kind in
            if case .test(.ended(let result)) = kind, result.isExcused { result.test.name } else { nil }
        }
        #expect(excused == ["failing()"])
        let messages = run.events.compactMap { if case .message(let message) = $0 { message.text } else { nil } }
        #expect(messages.contains { $0.hasSuffix("failing() failed, and is quarantined until 2030-01-31: later") })
        #expect(
            messages == [
                "the quarantine of 'failling()' matches no test; did you mean 'failing()'?",
                "STDemoTests.failing() failed, and is quarantined until 2030-01-31: later",
            ])
    }
}
