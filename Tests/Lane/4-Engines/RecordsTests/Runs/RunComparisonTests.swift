import Events
import Records
import Testing
import Text

@Suite struct RunComparisonTests {
    /// The events of a run with a step `lane/run` and tests with their outcomes and times in milliseconds.
    private static func run(
        _ tests: [(String, TestResult.Outcome, Int)], output: String = "", step: StepEnd.Outcome = .passed
    ) -> [LaneEvent] {
        let id = StepID("lane/run")
        var kinds: [LaneEvent.Kind] = [
            .runStarted(RunStart(lane: "lane", steps: [], startedAt: 0)),
            .stepStarted(StepStart(name: "run", action: "run")),
            .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array(output.utf8))),
        ]
        for (name, outcome, time) in tests {
            let test = TestID(library: .xctest, module: "App", suite: "ATests", name: name)
            if outcome == .failed {
                kinds.append(.test(.issue(TestIssue(test: test, text: "expected 1\nfound 2"))))
            }
            kinds.append(.test(.ended(TestResult(test: test, outcome: outcome, duration: .milliseconds(time)))))
        }
        kinds.append(.stepEnded(StepEnd(name: "run", outcome: step, duration: .zero)))
        kinds.append(.runEnded(RunEnd(status: 0, duration: .zero)))
        return kinds.enumerated().map { LaneEvent(number: $0 + 1, offset: .zero, step: id, kind: $1) }
    }

    @Test func testsAndStepsAreCompared() {
        let before = Self.run(
            [
                ("testBroken", .passed, 1), ("testFixed", .failed, 1), ("testStill", .failed, 1),
                ("testSlow", .passed, 200),
                ("testGone", .passed, 1), ("testSteady", .passed, 200),
            ], output: "one\ntwo\n")
        let after = Self.run(
            [
                ("testBroken", .failed, 1), ("testFixed", .passed, 1), ("testStill", .crashed(how: "signal 4"), 1),
                ("testSlow", .passed, 300), ("testNew", .timedOut(after: .seconds(1)), 1), ("testSteady", .passed, 290),
            ], output: "one\n2\n", step: .failed(status: 1, message: "2 tests failed\nmore"))
        #expect(
            RunComparison(before: before, after: after).text(style: .plain) == """
                Newly failing (2)
                  App.ATests/testBroken: expected 1
                  App.ATests/testNew: timed out

                Fixed (1)
                  App.ATests/testFixed

                Still failing (1)
                  App.ATests/testStill

                Slower (1)
                  0.200 s → 0.300 s  App.ATests/testSlow

                Other output (1)
                  step lane/run, line 2: 'two' → '2'

                New tests (1)
                  App.ATests/testNew

                Removed tests (1)
                  App.ATests/testGone

                ✘ 2 newly failing, 1 still failing, 1 fixed, 1 slower

                """)
    }

    @Test func aStepWithoutFailedTestsFailsItself() {
        let before = Self.run([("testOne", .failed, 5)], step: .failed(status: 1, message: "1 test failed"))
        let after = Self.run([("testOne", .passed, 5)], step: .failed(status: 1, message: "the tests cover too little"))
        let comparison = RunComparison(before: before, after: after)
        #expect(comparison.newlyFailing.map(\.name) == ["step lane/run"])
        #expect(comparison.fixed == ["App.ATests/testOne"] && comparison.stillFailing.isEmpty)
    }

    @Test func equalRunsHaveNoDifferences() {
        let run = Self.run([("testOne", .passed, 5)], output: "one\n")
        #expect(RunComparison(before: run, after: run).isEmpty)
        #expect(RunComparison(before: run, after: run).text(style: .plain) == "no differences\n")
        // A failure in both runs is no difference, but it is printed.
        let failing = Self.run([("testOne", .failed, 5)])
        #expect(RunComparison(before: failing, after: failing).isEmpty)
    }

    @Test func anOutputMayEnd() {
        let comparison = RunComparison(before: Self.run([], output: "one\ntwo\n"), after: Self.run([], output: "one\n"))
        #expect(comparison.outputs.map(\.line) == [2])
        #expect(comparison.outputs.first?.after == nil)
    }

    @Test func aRunWithoutTestsRemovesAndAddsNone() {
        let (tests, none) = (Self.run([("testA", .passed, 1)]), Self.run([]))
        #expect(RunComparison(before: tests, after: none).isEmpty)
        #expect(RunComparison(before: none, after: tests).isEmpty)
    }
}
