import Events
import Testing

@Suite struct RunSummaryTests {
    @Test func stepsAreInTheOrderOfThePlan() {
        let (one, two) = (StepID("ci/1"), StepID("ci/2"))
        let run = summary([
            (
                nil,
                .runStarted(
                    RunStart(lane: "ci", steps: [.init(id: one, name: "a"), .init(id: two, name: "b")], startedAt: 5))
            ),
            (two, .stepStarted(StepStart(name: "b", action: "run"))),
            (one, .stepStarted(StepStart(name: "a", action: "run"))),
            (two, .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("x\n".utf8)))),
            (
                two,
                .stepEnded(StepEnd(name: "b", outcome: .failed(status: 3, message: "exit status 3"), duration: .zero))
            ),
            (StepID("extra"), .stepEnded(StepEnd(name: "extra", outcome: .upToDate, duration: .zero))),
        ])
        #expect(run.steps.map(\.name) == ["a", "b", "extra"])
        #expect(run.steps.map { $0.end == nil } == [true, false, false])
        #expect(run.step(two)?.output.lastLines(5) == ["x"])
        #expect(run.lane == "ci")
    }

    /// Steps that end in the order of the plan, in swapped pairs, far apart and in reverse.
    @Test(arguments: [[0, 1, 2, 3], [1, 0, 3, 2], [0, 50, 25, 75], [99, 98, 3, 2]])
    func endsAreAssignedToStepsInAnyOrder(first: [Int]) {
        let ids = (0..<100).map { StepID("ci/\($0)") }
        let order = first + (0..<100).filter { !first.contains($0) }
        let start = RunStart(lane: "ci", steps: ids.map { .init(id: $0, name: $0.description) }, startedAt: 0)
        let run = summary(
            [(nil, .runStarted(start))]
                + order.map { index in
                    let end = StepEnd(name: "\(index)", outcome: .passed, duration: .milliseconds(index))
                    return (ids[index], .stepEnded(end))
                })
        #expect(run.steps.map(\.id) == ids)
        #expect(run.steps.map { $0.end?.duration } == (0..<100).map { .milliseconds($0) })
        #expect(ids.map { run.step($0)?.end?.name } == (0..<100).map { "\($0)" })
        #expect(run.step(StepID("ci/100")) == nil)
    }

    @Test func repeatedDiagnosticsAreKeptOnce() {
        let place = SourceLocation(path: "a.swift", line: 1, column: 1)
        let run = summary([
            (nil, .buildDiagnostic(BuildDiagnostic(.error, "x", at: place, excerpt: ["1 | x"]))),
            (nil, .buildDiagnostic(BuildDiagnostic(.error, "x", at: place))),
            (nil, .buildDiagnostic(BuildDiagnostic(.warning, "x", at: place))),
        ])
        #expect(run.diagnostics.map(\.severity) == [.error, .warning])
    }

    @Test func theSameTestInTwoStepsCountsTwice() {
        let test = TestID(library: .xctest, module: "M", suite: "S", name: "t")
        let run = summary([
            (StepID("a"), .test(.ended(TestResult(test: test, outcome: .passed, duration: nil)))),
            (StepID("b"), .test(.ended(TestResult(test: test, outcome: .failed, duration: nil)))),
        ])
        #expect(run.counts.planned == 2)
        #expect(run.tests { $0.outcome == .failed }.map(\.step) == [StepID("b")])
    }

    @Test func cappedOutputKeepsBothEnds() {
        var output = CappedOutput(head: 8, tail: 8)
        output.append(Array("one\ntwo\n".utf8))
        #expect(output.text == "one\ntwo\n")
        for _ in 0..<1000 { output.append(Array("three\n".utf8)) }
        #expect(output.text == "one\ntwo\n[… 5992 bytes omitted …]\nthree\n")
        #expect(output.total == 6008)
        #expect(output.lastLines(3) == ["three"])
    }

    @Test func cappedOutputAcceptsOneHugeLine() {
        var output = CappedOutput(head: 0, tail: 4)
        output.append(Array(repeating: UInt8(ascii: "x"), count: 1_000_000))
        #expect(output.lastLines(1) == ["xxxx"])
        #expect(output.dropped == 999_996)
    }

    @Test func cappedOutputSplitsLinesOfEitherKind() {
        var output = CappedOutput()
        output.append(Array("a\r\nb\n\nc".utf8))
        #expect(output.lastLines(9) == ["a", "b", "", "c"])
        #expect(output.lastLines(1) == ["c"])
        output.append(Array("\n\n\n".utf8))
        #expect(output.lastLines(2) == ["", "c"])
    }

    private func summary(_ events: [(StepID?, LaneEvent.Kind)]) -> RunSummary {
        var run = RunSummary()
        for (index, event) in events.enumerated() {
            run.receive(LaneEvent(number: index + 1, offset: .zero, step: event.0, kind: event.1))
        }
        return run
    }
}
