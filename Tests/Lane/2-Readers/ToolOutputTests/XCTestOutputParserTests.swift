import Events
import TestSupport
import Testing
import ToolOutput

@Suite struct XCTestOutputParserTests {
    static func events(_ bytes: [UInt8], chunk: Int = .max, modules: [String: String] = [:]) -> EventText {
        var text = EventText()
        var parser = XCTestOutputParser(root: "/src/Demo", modules: modules)
        for chunk in bytes.chunks(of: Swift.min(chunk, Swift.max(bytes.count, 1))) {
            chunk.withUnsafeBytes { parser.consume($0) { text.add(.test($0)) } }
        }
        parser.finish { text.add(.test($0)) }
        if let running = parser.running { text.add(.message(Message(.note, "running \(running)"))) }
        return text
    }

    static func events(_ text: String, modules: [String: String] = [:]) -> [String] {
        events(Array(text.utf8), modules: modules).text.split(separator: "\n").map(String.init)
    }

    @Test func wholeRun() throws {
        let modules = ["MathTests": "XCTDemoTests", "OtherTests": "XCTDemoTests", "MoreTests": "SecondXCTests"]
        let text = Self.events(try Logs.bytes("60-direct-xctest.out"), modules: modules).text
        expectGolden(text, "direct-xctest-with-modules.events")
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1000]) func chunksDoNotMatter(size: Int) throws {
        let bytes = try Logs.bytes("60-direct-xctest.out")
        #expect(Self.events(bytes, chunk: size).text == Self.events(bytes).text)
    }

    @Test func resultAfterOutputWithoutALineBreak() {
        let events = Self.events(
            """
            Test Case 'A.b' started at 2026-11-20 22:21:21.458
            one 'two' (3 seconds)Test Case 'A.b' passed (0.25 seconds)

            """)
        #expect(
            events == [
                "started A/b", #"output A/b "one \'two\' (3 seconds)""#, "ended A/b passed 0.25 seconds",
            ])
    }

    @Test func failuresWithTheTextOfAPassAreFailures() {
        let events = Self.events(
            """
            Test Case 'A.b' started at 2026-11-20 22:21:21.458
            /src/Demo/Tests/A.swift:7: error: A.b : XCTAssertEqual failed: ("a") is not equal to ("b") - expected:
            Test Case 'A.b' passed (0.0 seconds)
            Test Case 'A.b' failed (1.0 seconds)

            """)
        let message =
            #"XCTAssertEqual failed: (\"a\") is not equal to (\"b\") - expected:\nTest Case \'A.b\' passed (0.0 seconds)"#
        #expect(
            events == ["started A/b", #"failure A/b at Tests/A.swift:7 "\#(message)""#, "ended A/b failed 1.0 seconds"])
    }

    @Test func printedEndsAreOutput() {
        let events = Self.events(
            """
            Test Case 'A.b' started at 2026-11-20 22:21:21.458
            Test Case 'A.b' passed (0.0 seconds)
            /src/Demo/Tests/A.swift:7: error: A.b : failed - why
            Test Case 'A.b' failed (1.0 seconds)
            Test Case 'A.c' started at 2026-11-20 22:21:21.458
            Test Case 'A.c' passed (1.0 seconds)

            """)
        #expect(
            events == [
                "started A/b", "ended A/b passed 0.0 seconds", #"failure A/b at Tests/A.swift:7 "failed - why""#,
                "ended A/b failed 1.0 seconds", "started A/c", "ended A/c passed 1.0 seconds",
            ])
    }

    @Test func otherTestsAreOutputIfTheTestsAreKnown() {
        var text = EventText()
        var parser = XCTestOutputParser(root: "/src/Demo", tests: ["A.b", "A.c"])
        let log = """
            Test Suite 'A' started at 2026-11-20 22:21:21.458
            Test Case 'A.b' started at 2026-11-20 22:21:21.458
            Test Suite 'All tests' started at 2026-11-20 22:21:21.458
            Test Case 'X.y' started at 2026-11-20 22:21:21.458
            Test Case 'A.c' passed (0.5 seconds)
            /src/Demo/Tests/A.swift:7: error: A.b : failed - why
            Test Case 'A.b' failed (1.0 seconds)
            Test Case 'X.y' started at 2026-11-20 22:21:21.458
            Test Case 'A.c' started at 2026-11-20 22:21:21.458
            Test Case 'A.b' passed (1.0 seconds)
            Test Case 'A.c' passed (2.0 seconds)
            Test Suite 'A' passed at 2026-11-20 22:21:22.458

            """
        Array(log.utf8).withUnsafeBytes { parser.consume($0) { text.add(.test($0)) } }
        let events = text.text.split(separator: "\n").filter { !$0.hasPrefix("output") }
        #expect(
            events == [
                "started A/b", #"failure A/b at Tests/A.swift:7 "failed - why""#, "ended A/b failed 1.0 seconds",
                "started A/c", "ended A/c passed 2.0 seconds",
            ])
        #expect(
            text.text == """
                started A/b
                output A/b "Test Suite \\'All tests\\' started at 2026-11-20 22:21:21.458\\nTest Case \\'X.y\\' started at 2026-11-20 22:21:21.458\\nTest Case \\'A.c\\' passed (0.5 seconds)\\nTest Case \\'X.y\\' started at 2026-11-20 22:21:21.458\\n"
                failure A/b at Tests/A.swift:7 "failed - why"
                ended A/b failed 1.0 seconds
                started A/c
                output A/c "Test Case \\'A.b\\' passed (1.0 seconds)\\n"
                ended A/c passed 2.0 seconds

                """)
    }

    private func known(_ log: String, tests: [String] = ["A.b", "A.c"], isByExit: Bool = true) -> [String] {
        var text = EventText()
        var parser = XCTestOutputParser(root: "/src/Demo", tests: tests)
        Array(log.utf8).withUnsafeBytes { parser.consume($0) { text.add(.test($0)) } }
        parser.finish(isByExit: isByExit) { text.add(.test($0)) }
        if let running = parser.running { text.add(.message(Message(.note, "running \(running)"))) }
        return text.text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("output") }
    }

    private static let start = """
        Test Suite 'A' started at 2026-11-20 22:21:21.458
        Test Case 'A.b' started at 2026-11-20 22:21:21.458

        """
    private static let end = "Test Suite 'A' passed at 2026-11-20 22:21:22.458\n"
    private static let failure = "/src/Demo/Tests/A.swift:7: error: A.b : failed - why\n"

    /// A test may print lines that name it, including failures. The last of them is that of XCTest.
    @Test(arguments: ["passed", "failed"], [0, 1, 2, 3]) func lastEndIsTheResult(outcome: String, before: Int) {
        let printed = [
            "", Self.failure, "Test Case 'A.b' passed (0.1 seconds)\n" + Self.failure,
            Self.failure + "Test Case 'A.b' failed (0.1 seconds)\nTest Case 'A.b' skipped (0.2 seconds)\n",
        ][before]
        let events = known(Self.start + printed + "Test Case 'A.b' \(outcome) (1.0 seconds)\n" + Self.end)
        let failures = outcome == "failed" && before > 0 ? [#"failure A/b at Tests/A.swift:7 "failed - why""#] : []
        #expect(events == ["started A/b"] + failures + ["ended A/b \(outcome) 1.0 seconds"])
    }

    @Test func failuresAfterTheEndAreLate() {
        let events = known(Self.start + "Test Case 'A.b' passed (1.0 seconds)\n" + Self.failure + Self.end)
        let failure = #"failure A/b at Tests/A.swift:7 "failed - why""#
        #expect(events.prefix(3) == ["started A/b", "ended A/b passed 1.0 seconds", failure])
        #expect(events.last?.hasPrefix("ended A/b failed") == true)
    }

    /// XCTest prints more after the last test, so a test that prints such a line and calls `exit(0)` has not ended.
    @Test func endsInTheLastLineAreOutput() {
        let log = Self.start + "Test Case 'A.b' passed (1.0 seconds)\n"
        let failure = #"failure A/b at Tests/A.swift:7 "failed - why""#
        #expect(known(log) == ["started A/b", #"message note "running A/b""#])
        #expect(known(log, isByExit: false) == ["started A/b", "ended A/b passed 1.0 seconds"])
        #expect(known(Self.start + Self.failure) == ["started A/b", failure, #"message note "running A/b""#])
        #expect(
            known(Self.start + Self.failure, isByExit: false) == [
                "started A/b", failure, #"message note "running A/b""#,
            ])
    }

    /// Suite lines after the end that a test printed itself are output, too: they do not close the suites as XCTest does.
    @Test(arguments: [
        "Test Suite 'B' passed at 2026-11-20 22:21:22.458\n", "Test Suite 'A' passed at 2026-11-20 22:21:20.458\n",
        "Test Suite 'B' started at 2026-11-20 22:21:22.458\n",
        "Test Suite 'A' passed at 2026-11-20 22:21:20.458\n"
            + "Test Suite 'All tests' passed at 2026-11-20 22:21:22.458\n",
    ])
    func aPrintedEndOfASuiteEndsNothing(printed: String) {
        let log = Self.start + "Test Case 'A.b' passed (0.1 seconds)\n" + printed
        #expect(known(log) == ["started A/b", #"message note "running A/b""#])
        let failed = log + Self.failure + "Test Case 'A.b' failed (1.0 seconds)\n" + Self.end
        let failure = #"failure A/b at Tests/A.swift:7 "failed - why""#
        #expect(known(failed) == ["started A/b", failure, "ended A/b failed 1.0 seconds"])
    }

    /// A failure line with the name of a test that has ended is a late failure if XCTest counts more failures than those of
    /// the others. Otherwise it is output of the running test.
    @Test(arguments: ["A.b", "-[M.A b]"], [0, 1, 2])
    func aFailureOfATestThatHasEnded(name: String, counted: Int) {
        let other = name.replacing("b", with: "c")
        let log = """
            Test Suite 'Selected tests' started at 2026-11-20 22:21:21.458
            Test Case '\(name)' started at 2026-11-20 22:21:21.458
            Test Case '\(name)' passed (1.0 seconds)
            Test Case '\(other)' started at 2026-11-20 22:21:21.458
            /src/Demo/Tests/A.swift:7: error: \(name) : failed - why
            /src/Demo/Tests/A.swift:8: error: \(other) : failed - here
            Test Case '\(other)' failed (1.0 seconds)
            Test Suite 'Selected tests' failed at 2026-11-20 22:21:23.458
            \t Executed 2 tests, with \(counted) failures (0 unexpected) in 2.0 (2.0) seconds

            """
        let events = known(log, tests: [name, other])
        #expect(events.contains { $0.hasPrefix("failure ") && $0.contains("A/b at Tests/A.swift:7") } == (counted == 2))
        #expect(events.contains { $0.hasPrefix("ended ") && $0.contains("A/b failed") } == (counted == 2))
        #expect(events.contains { $0.hasPrefix("ended ") && $0.contains("A/c failed") })
    }

    @Test func failureAfterOutputWithoutALineBreak() {
        let events = Self.events(
            """
            Test Case 'A.b' started at 2026-11-20 22:21:21.458
            read /etc/x and /src/Demo/Tests/A.swift:7: error: A.b : failed - why: error: nothing
            Test Case 'A.b' failed (1.0 seconds)

            """)
        #expect(
            events == [
                "started A/b", #"output A/b "read /etc/x and ""#,
                #"failure A/b at Tests/A.swift:7 "failed - why: error: nothing""#, "ended A/b failed 1.0 seconds",
            ])
    }

    @Test func outputAfterAnEmptyMessageIsNotPartOfIt() {
        let events = Self.events(
            """
            Test Case 'A.b' started at 2026-11-20 22:21:21.458
            /src/Demo/Tests/A.swift:7: error: A.b : failed - 
            tearDown
            /src/Demo/Tests/A.swift:8: error: A.b : XCTAssertEqual failed: ("a
            b") is not equal to ("c") - 
            later
            Test Case 'A.b' failed (1.0 seconds)

            """)
        #expect(
            events == [
                "started A/b", #"failure A/b at Tests/A.swift:7 "failed""#, #"output A/b "tearDown\n""#,
                #"failure A/b at Tests/A.swift:8 "XCTAssertEqual failed: (\"a\nb\") is not equal to (\"c\")""#,
                #"output A/b "later\n""#, "ended A/b failed 1.0 seconds",
            ])
    }

    @Test func namesOnMacOS() {
        let events = Self.events(
            """
            Test Suite 'All tests' started at 2026-11-20 22:21:21.331.
            Test Suite 'MathTests' started at 2026-11-20 22:21:21.332.
            Test Case '-[DemoTests.MathTests testFail]' started.
            /src/Demo/Tests/A.swift:7: error: -[DemoTests.MathTests testFail] : XCTAssertEqual failed: ("3") is not equal to ("4") - sum
            Test Case '-[DemoTests.MathTests testFail]' failed (0.012 seconds).
            Test Case '-[DemoTests.MathTests testSkip]' started.
            /src/Demo/Tests/A.swift:9: -[DemoTests.MathTests testSkip] : Test skipped - later
            Test Case '-[DemoTests.MathTests testSkip]' skipped (0.000 seconds).
            Test Suite 'MathTests' failed at 2026-11-20 22:21:21.500.
            \t Executed 2 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.012 (0.013) seconds

            """)
        #expect(
            events == [
                "started DemoTests.MathTests/testFail",
                #"failure DemoTests.MathTests/testFail at Tests/A.swift:7 "XCTAssertEqual failed: (\"3\") is not equal to (\"4\") - sum""#,
                "ended DemoTests.MathTests/testFail failed 0.012 seconds",
                "started DemoTests.MathTests/testSkip",
                #"ended DemoTests.MathTests/testSkip skipped(reason: Optional("later")) 0.0 seconds"#,
            ])
    }

    @Test func reasonsOfSkipsMayHaveSeveralLines() {
        let events = Self.events(
            """
            Test Case 'A.b' started at 2026-11-20 22:21:21.458
            /src/Demo/Tests/A.swift:9: A.b : Test skipped - no network:

              try again
            Test Case 'A.b' skipped (0.0 seconds)
            Test Case 'A.c' started at 2026-11-20 22:21:21.458
            /src/Demo/Tests/A.swift:12: A.c : Test skipped - later
            torn down
            /src/Demo/Tests/A.swift:14: error: A.c : failed - in tearDown
            Test Case 'A.c' failed (0.0 seconds)

            """)
        #expect(
            events == [
                "started A/b", #"ended A/b skipped(reason: Optional("no network:\n\n  try again")) 0.0 seconds"#,
                "started A/c", #"output A/c "torn down\n""#, #"failure A/c at Tests/A.swift:14 "failed - in tearDown""#,
                "ended A/c failed 0.0 seconds",
            ])
    }
}
