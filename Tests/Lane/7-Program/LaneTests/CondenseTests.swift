import TestSupport
import Testing
import Text

@Suite struct CondenseTests {
    @Test func aLogBecomesItsFailuresAndAStatus() throws {
        let log = """
            Test Suite 'MathTests' started at 2026-01-01 00:00:00.000
            Test Case 'MathTests.testSum' started at 2026-01-01 00:00:00.000
            /p/Tests/MathTests.swift:10: error: MathTests.testSum : XCTAssertEqual failed: ("3") is not equal to ("4") -
            Test Case 'MathTests.testSum' failed (0.1 seconds)
            Test Suite 'MathTests' failed at 2026-01-01 00:00:00.100
            \t Executed 1 test, with 1 failure (0 unexpected) in 0.1 (0.1) seconds

            """
        let session = try Session(["log.txt": log])
        let outcome = try session.run("condense", "log.txt", "--root", "/p", "--junit", "out/junit.xml")
        #expect(outcome.status == .failed)
        expectGolden(outcome.output, "condense-failure.txt")
        #expect(
            try session.directory.read("out/junit.xml") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="condense" tests="1" failures="1" errors="0" time="0.000">
                  <testsuite name="MathTests" tests="1" failures="1" errors="0" skipped="0" time="0.100" timestamp="2023-11-14T22:13:20Z">
                    <testcase name="testSum" classname="MathTests" time="0.100">
                      <failure message="XCTAssertEqual failed: (&quot;3&quot;) is not equal to (&quot;4&quot;) -" type="failure">Tests/MathTests.swift:10: XCTAssertEqual failed: ("3") is not equal to ("4") -</failure>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
        #expect(try session.run("condense", "log.txt", "--exit-zero").status == .done)
        try session.directory.write(
            "✔ Test run with 29 tests in 5 suites passed after 1.206 seconds.\n", to: "quiet.txt")
        let quiet = try session.run("condense", "quiet.txt")
        #expect(quiet.status == .done)
        expectGolden(quiet.output, "condense-quiet.txt")
    }

    /// The log of a filter without a match, in whole or its last line.
    @Test(arguments: ["", "Build complete! (0.12s)\n", "◇ Test run started.\n"])
    func aRunWithoutTestsIsNoSuccess(header: String) throws {
        let line = "✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.\n"
        let outcome = try Session(["log.txt": header + line]).run("condense", "log.txt")
        #expect(outcome.status == .nothingRan)
        #expect(outcome.output.contains("the log contains a test run without tests"), "\(outcome.output)")
    }

    /// The failure belongs to a test without other lines in the log.
    @Test(arguments: [
        "Command line invocation:\n    /usr/bin/xcodebuild -scheme M test\n\n", "[1/2] Compiling M X.swift\n\n", "",
    ])
    func aFailureWithoutItsTestIsAFailedTest(header: String) throws {
        let line = "/Users/a/X.swift:13: error: -[M.C testA] : XCTAssertEqual failed: 1\n"
        let outcome = try Session(["log.txt": header + line]).run("condense", "log.txt", "--root", "/Users/a")
        #expect(outcome.status == .failed)
        expectGolden(outcome.output, "condense-lone-failure.txt")
    }

    /// The classes of two devices alternate.
    @Test func suitesOfAParallelRunComeOnceWithAllTheirTests() throws {
        let cases = ["A.testOne", "B.testTwo", "A.testThree", "B.testFour", "A.testFive"].enumerated().map {
            "Test case '\($1)()' passed on 'Clone \($0 % 2 + 1) of iPhone - App (4242)' (0.100 seconds)\n"
        }
        let log =
            "Command line invocation:\n    /usr/bin/xcodebuild test\n\n" + cases.joined() + "** TEST SUCCEEDED **\n"
        let outcome = try Session(["log.txt": log]).run("condense", "log.txt")
        #expect(outcome.status == .done)
        expectGolden(outcome.output, "condense-parallel.txt")
    }

    /// Logs of a CI service have a timestamp on each line, and may start with a byte order mark.
    @Test(arguments: ["2026-11-22T10:00:00.1234567Z ", "2026-11-22T10:00:00Z ", "\u{FEFF}"])
    func aLogOfAServiceIsRead(stamp: String) throws {
        let lines = [
            "◇ Test run started.", "◇ Test a() started.", "✘ Test a() recorded an issue at A.swift:4:3: Boom",
            "✘ Test a() failed after 0.001 seconds with 1 issue.",
            "✘ Test run with 1 test in 0 suites failed after 0.001 seconds with 1 issue.", "",
        ]
        let isMark = stamp == "\u{FEFF}"
        let log = isMark ? stamp + lines.joined(separator: "\n") : lines.map { stamp + $0 }.joined(separator: "\r\n")
        let outcome = try Session(["log.txt": log]).run("condense", "log.txt")
        #expect(outcome.status == .failed)
        expectGolden(outcome.output, "condense-service.txt")
    }

    /// The tests are concurrent and no line contains their suites, but the summary of the log counts them.
    @Test(arguments: [1, 2]) func theLogsOwnTotalsCount(runs: Int) throws {
        var log = ""
        for run in 1...runs {
            let tests = (1...40).map { "t\(run)n\($0)()" }
            log += "◇ Test run started.\n" + tests.map { "◇ Test \($0) started.\n" }.joined()
            log += tests.map { "✔ Test \($0) passed after 0.40\($0.utf8.count) seconds.\n" }.joined()
            log += "➜ Test skips() skipped.\n✔ Test run with 41 tests in 15 suites passed after 0.445 seconds.\n"
        }
        let outcome = try Session(["log.txt": log]).run("condense", "log.txt", "--verbose")
        let (time, totals) = runs == 1 ? ("0.445 s", "41 tests in 15") : ("0.890 s", "82 tests in 30")
        #expect(outcome.output.contains("\(totals) suites: "), "\(outcome.output)")
        let line = outcome.output.split(separator: "\n").first {
            $0.contains("Swift Testing") && $0.contains(" passed")
        }
        #expect(line?.contains(" \(time) ") == true, "\(outcome.output)")
    }

    /// The result of an unknown log is unknown. A log in UTF-16 may contain any failure.
    @Test(arguments: ["bash: swift: command not found\n", "\u{FFFD}\u{FFFD}T\0e\0s\0t\0"])
    func unknownLogsFail(log: String) throws {
        let outcome = try Session(["log.txt": log, "empty.txt": "\n"]).run("condense", "log.txt")
        #expect(outcome.status == .nothingRan)
        expectGolden(outcome.output, "condense-unknown.txt")
        #expect(try Session(["empty.txt": "\n"]).run("condense", "empty.txt").status == .failed)
        #expect(try Session(["b.txt": "Build complete! (0.1s)\n"]).run("condense", "b.txt").status == .done)
    }

    @Test func aMissingLogIsNamed() throws {
        let outcome = try Session().run("condense", "nowhere.log")
        #expect(outcome.status == .fileNotFound)
        #expect(outcome.errors == "error: could not read 'nowhere.log': No such file or directory\n")
    }

    /// `swift test` succeeds if no test matches a filter, so a misspelled filter would pass in CI.
    @Test(arguments: [
        "◇ Test run started.\n✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.\n",
        "Build complete! (0.12s)\nwarning: No matching test cases were run\n",
    ])
    func aRunWithoutTestsSaysSo(log: String) throws {
        let outcome = try Session(["log.txt": log]).run("condense", "log.txt")
        #expect(outcome.status == .nothingRan)
        let text = outcome.output + outcome.errors
        #expect(text.contains("the log contains a test run without tests"), "\(outcome.transcript)")
    }
}
