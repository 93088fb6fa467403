import LaneEvents
import Reports
import TestSupport
import Testing

@Suite struct AgentReportTests {
    private static func text(of events: [LaneEvent]) -> String {
        ReportFixture.text(of: events) { AgentReport(write: $0) }
    }

    @Test func agent() throws {
        expectGolden(Self.text(of: try ReportFixture.events()), "agent.txt")
    }

    private static let first = TestID(library: .swiftTesting, module: "M", suite: "S", name: "first()")
    private static let second = TestID(library: .swiftTesting, module: "M", suite: "S", name: "second()")
    private static let free = TestID(library: .swiftTesting, module: "M", suite: "", name: "free()")

    private static func run(_ tests: [TestEvent]) -> String {
        let start = StepStart(
            name: "test", action: "test", repeatFailedCommand: "lane test --failed", repeatTestsCommand: "lane test",
            log: ".lane/logs/test.log")
        return text(
            of: ReportFixture.events(
                [
                    (nil, .runStarted(RunStart(lane: "test", steps: [], startedAt: 0))),
                    ("test", .stepStarted(start)),
                ] + tests.map { ("test", .test($0)) } + [
                    (
                        "test",
                        .stepEnded(
                            StepEnd(
                                name: "test", outcome: .failed(status: 1, message: "tests failed"),
                                duration: .seconds(1)))
                    ), (nil, .runEnded(RunEnd(status: 1, duration: .seconds(1)))),
                ]))
    }

    private static func failed(_ test: TestID, _ issues: (text: String, line: Int)...) -> [TestEvent] {
        [.started(test, attempt: 1, worker: 1)]
            + issues.map {
                .issue(TestIssue(test: test, text: $0.text, at: SourceLocation(path: "T.swift", line: $0.line)))
            }
            + [.ended(TestResult(test: test, outcome: .failed, duration: .seconds(1)))]
    }

    /// The path and the suite are written once, the further lines of a text are indented, and each command can be used.
    @Test func failuresOfASuiteShareItsHeading() {
        let tests =
            Self.failed(Self.first, ("Expectation failed: a\n\nb", 3), ("second issue", 4))
            + Self.failed(Self.second, ("\u{1B}[31mred\u{1B}[0m", 9)) + Self.failed(Self.free, ("green", 9))
        #expect(
            Self.run(tests) == """
                T.swift M.S/
                3 first(): a
                 b
                4: second issue
                9 second(): red
                T.swift M.
                9 free(): green
                rerun: lane test --failed
                rerun one: lane test --filter 'M.S/first()'
                log: .lane/logs/test.log
                test: failed with status 1, 1.000 s, 3 failed

                """)
    }

    @Test func equalFailuresAreWrittenOnce() {
        let text = Self.run([Self.first, Self.second, Self.free].flatMap { Self.failed($0, ("broken", 7)) })
        #expect(text.hasPrefix("T.swift M.S/\n7 first(): broken\n same: second() M.free()\nrerun: "), "\(text)")
    }

    @Test func aTestWithoutIssueShowsTheEndOfItsOutput() {
        let text = Self.run([
            .planned([Self.first, Self.second].map { TestInfo(id: $0) }),
            .started(Self.first, attempt: 1, worker: 1), .output(Self.first, Array("one\ntwo\n".utf8)),
            .ended(TestResult(test: Self.first, outcome: .crashed(how: "signal 9"), duration: nil)),
            .ended(TestResult(test: Self.second, outcome: .notRun(reason: "stopped"), duration: nil)),
        ])
        #expect(
            text.hasPrefix("M.S/\nfirst(): crashed, signal 9: one\n two\nnot run, stopped: M.S/second()\n"), "\(text)")
    }

    /// A failure of megabytes stays a failure with its location.
    @Test func longTextsAreShortened() {
        let text = Self.run(Self.failed(Self.first, (String(repeating: "é", count: 100_000), 3), ("short", 4)))
        #expect(text.utf8.count < 2000)
        #expect(text.contains("… (198500 more bytes)\n4: short\n"), "\(text)")
    }

    /// The texts of many failures are shorter than that of one, but every failure has its line.
    @Test func manyFailuresShareTheirBytes() {
        let text = Self.run(
            (0..<200).flatMap { number in
                let test = TestID(library: .xctest, module: "M", suite: "S", name: "test\(number)")
                return Self.failed(test, ("\(number) " + String(repeating: "long ", count: 200), number + 1))
            })
        #expect(text.utf8.count < 40_000)
        for number in 0..<200 { #expect(text.contains("\n\(number + 1) test\(number): \(number) long ")) }
    }

    /// A run without failures is one line.
    @Test func successIsOneLine() {
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "test", steps: [], startedAt: 0))),
            ("test", .stepStarted(StepStart(name: "test", action: "test"))),
            ("test", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("much\n".utf8)))),
            ("test", .test(.ended(TestResult(test: Self.first, outcome: .passed, duration: .seconds(1))))),
            (nil, .runEnded(RunEnd(status: 0, duration: .seconds(2)))),
        ])
        #expect(Self.text(of: events) == "test: passed, 2.000 s, 1 passed\n")
    }
}
