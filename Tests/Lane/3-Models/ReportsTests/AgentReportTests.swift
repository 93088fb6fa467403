import Events
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
                3 first: a
                 b
                4: second issue
                9 second: red
                M.
                9 free: green
                rerun: lane test --failed
                rerun one: lane test --filter 'M.S/first()'
                log: .lane/logs/test.log
                test: failed, 1.000 s, 3 failed

                """)
    }

    @Test func equalFailuresAreWrittenOnce() {
        let text = Self.run([Self.first, Self.second, Self.free].flatMap { Self.failed($0, ("broken", 7)) })
        #expect(text.hasPrefix("T.swift M.S/\n7 first: broken\n same: second M.free\nrerun: "), "\(text)")
    }

    @Test func aTestWithoutIssueShowsTheEndOfItsOutput() {
        let text = Self.run([
            .planned([Self.first, Self.second].map { TestInfo(id: $0) }),
            .started(Self.first, attempt: 1, worker: 1), .output(Self.first, Array("one\ntwo\n".utf8)),
            .ended(TestResult(test: Self.first, outcome: .crashed(how: "signal 9"), duration: nil)),
            .ended(TestResult(test: Self.second, outcome: .notRun(reason: "stopped"), duration: nil)),
        ])
        #expect(
            text.hasPrefix("M.S/\nfirst: crashed, signal 9: one\n two\nnot run, stopped: M.S/second\n"), "\(text)")
    }

    /// A failure of megabytes stays a failure with its location.
    @Test func longTextsAreShortened() {
        let text = Self.run(Self.failed(Self.first, (String(repeating: "é", count: 100_000), 3), ("short", 4)))
        #expect(text.utf8.count < 2000)
        #expect(
            redacted(text) == """
                T.swift M.S/
                3 first: \(String(repeating: "é", count: 750))… (198500 more bytes)
                4: short
                rerun: lane test --failed
                rerun one: lane test --filter 'M.S/first()'
                log: .lane/logs/test.log
                test: failed, <time>, 1 failed

                """)
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

    @Test(
        arguments: [
            ("XCTAssertEqual failed: (\"3\") is not equal to (\"4\") - sum", "3 == 4 - sum"),
            ("XCTAssertEqual failed: (\"a b\") is not equal to (\"\")", "\"a b\" == \"\""),
            ("XCTAssertEqual failed: (\"[1, 2]\") is not equal to (\"[]\")", "[1, 2] == []"),
            ("XCTAssertNotEqual failed: (\"x\") is equal to (\"x\")", "x != x"),
            ("XCTAssertGreaterThanOrEqual failed: (\"1\") is less than (\"2\")", "1 >= 2"),
            ("XCTAssertEqual failed: throwing \"x\"", "XCTAssertEqual: throwing \"x\""),
            ("XCTUnwrap failed: expected non-nil value of type \"Int\" - id", "XCTUnwrap: Int - id"),
            ("threw error \"boom(\"x\")\"", "threw boom(\"x\")"),
            ("failed", ""), ("failed - one", "one"), ("failed: caught error: \"x\"", "failed: caught error: \"x\""),
            ("Expectation failed: (n → 2) == 3\n n: Int → 2\n 3: Int → 3\n m: Int → 2", "(n → 2) == 3\n m: Int → 2"),
            ("Expectation failed: (a → [1]) == (b → [])\n± removed [1]", "(a → [1]) == (b → [])"),
            ("Expectation failed: a == b\n± removed [1]", "a == b\n± removed [1]"),
            ("Issue recorded\nwhy", "why"), ("Issue recorded", "Issue recorded"),
            ("anything else", "anything else"),
        ]) func textsAreShortened(text: String, short: String)
    {
        let report = Self.run(Self.failed(Self.first, (text, 3)))
        let lines = short.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n ")
        #expect(report.hasPrefix("T.swift M.S/\n3 first\(lines.isEmpty ? "" : ": \(lines)")\nrerun: "), "\(report)")
    }

    /// A path names module and suite by its directory and file, and a failure without a location is in the file of its suite.
    @Test func pathsNameSuites() {
        let located = TestID(library: .xctest, module: "Tests", suite: "T", name: "testA")
        let unlocated = TestID(library: .xctest, module: "Tests", suite: "T", name: "testB")
        let text = Self.run([
            .started(located, attempt: 1, worker: 1),
            .issue(TestIssue(test: located, text: "failed", at: SourceLocation(path: "Tests/T.swift", line: 3))),
            .ended(TestResult(test: located, outcome: .failed, duration: nil)),
            .issue(TestIssue(test: unlocated, text: "threw error \"x\"")),
            .ended(TestResult(test: unlocated, outcome: .failed, duration: nil)),
        ])
        #expect(text.hasPrefix("Tests/T.swift\n3 testA\ntestB: threw x\nrerun: "), "\(text)")
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
