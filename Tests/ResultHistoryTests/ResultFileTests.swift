import LaneEvents
import TestSupport
import Testing

@testable import ResultHistory

@Suite struct ResultFileTests {
    private func runs(_ text: String, commit: String? = nil) -> [RecordedRun]? {
        ResultFile.runs(in: Array(text.utf8), commit: commit, modified: 42)
    }

    @Test func aReportOfSwiftTest() throws {
        let run = try #require(
            runs(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites><!-- <testcase name="no"/> -->
                <testsuite name="TestResults" errors="0" tests="2" failures="1" time="0.01">
                <testcase classname="DemoTests.MathTests" name="testAdd" time="0.25"></testcase>
                <testcase classname="DemoTests.Outer/Inner" name="adds(&quot;a&quot;:)" time="1.5">
                <failure message="1 &lt; 2"><![CDATA[ <testcase name="no"/> ]]></failure>
                </testcase>
                </testsuite></testsuites>
                """, commit: "abc")?.first)
        #expect(run.startedAt == 42)
        #expect(run.commit == "abc")
        #expect(
            run.results == [
                RecordedResult(
                    test: TestID(library: .xctest, module: "DemoTests", suite: "MathTests", name: "testAdd"),
                    outcome: .passed, microseconds: 250_000),
                RecordedResult(
                    test: TestID(
                        library: .swiftTesting, module: "DemoTests", suite: "Outer/Inner", name: "adds(\"a\":)"),
                    outcome: .failed, microseconds: 1_500_000),
            ])
    }

    @Test func attemptsOfRetriedTests() throws {
        let run = try #require(
            runs(
                """
                <testsuite timestamp="2026-11-24T19:41:07Z">
                <testcase classname="A.B" name="flaky()"><flakyFailure/></testcase>
                <testcase classname="A.B" name="broken()"><failure/><rerunFailure type="timeout"/></testcase>
                <testcase classname="A.B" name="lost()"><error type="notRun"/></testcase>
                <testcase classname="A.B" name="off()"><skipped/></testcase>
                """)?.first)
        #expect(run.startedAt == 1_795_549_267)
        #expect(
            run.results.map { "\($0.test.name) \($0.outcome) \($0.attempt)" } == [
                "flaky() failed 1", "flaky() passed 2", "broken() failed 1", "broken() timedOut 2", "off() skipped 1",
            ])
    }

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
        let runs = try #require(ResultFile.runs(in: bytes, commit: nil, modified: 0))
        #expect(
            runs == [
                RecordedRun(
                    startedAt: 7,
                    results: [
                        RecordedResult(test: test(1), outcome: .failed, microseconds: 3000),
                        RecordedResult(test: test(1), outcome: .passed, attempt: 2),
                    ])
            ])
    }

    @Test(arguments: ["", "hello", "<html><body/></html>", "{}", "\u{FEFF}", "LTR2"])
    func otherFilesHaveNoFormat(_ text: String) {
        #expect(runs(text) == nil)
    }

    @Test func noReportCrashesTheReader() {
        let pieces = [
            "<testsuite ", "<testcase ", "name=\"a\"", "time='1e999'", "&#x41;", "&#999999999;", "<![CDATA[", "]]>",
            "<!--", "-->", "/>", ">", "</testcase>", "<failure", "\"", "=", " ", "<?", "&lt",
        ]
        checkProperty("any text has an end", Generator<String>.element(of: pieces).array(count: 0...30)) { parts in
            _ = runs("<" + parts.joined())
            return true
        }
    }
}
