import Events
import TestSupport
import Testing

@testable import Records

@Suite struct ResultFileTests {
    @Test func anEventLogThatEndsInALine() throws {
        var encoder = EventLineEncoder()
        let kinds: [LaneEvent.Kind] = [
            .runStarted(RunStart(lane: "test", steps: [], startedAt: 7)),
            .test(.ended(TestResult(test: test(1), outcome: .failed, duration: .milliseconds(3)))),
            .test(.ended(TestResult(test: test(2), outcome: .notRun(reason: "stopped"), duration: nil))),
            .test(.ended(TestResult(test: test(1), outcome: .passed, duration: nil, attempt: 2))),
        ]
        var bytes: [UInt8] = []
        for kind in kinds { bytes += encoder.line(for: LaneEvent(number: 1, offset: .zero, step: nil, kind: kind)) }
        bytes += Array(#"{"event":"testEnded","te"#.utf8)
        let runs = try #require(ResultFile.runs(in: bytes, commit: "abc"))
        #expect(
            runs == [
                RecordedRun(
                    startedAt: 7, commit: "abc",
                    results: [
                        RecordedResult(test: test(1), outcome: .failed, microseconds: 3000),
                        RecordedResult(test: test(1), outcome: .passed, attempt: 2),
                    ])
            ])
    }

    @Test(arguments: ["", "hello", "<testsuite/>", "{}", "\u{FEFF}", "LTR2"])
    func otherFilesHaveNoFormat(_ text: String) {
        #expect(ResultFile.runs(in: Array(text.utf8), commit: nil) == nil)
    }
}
