import Events
import TestSupport
import Testing
import ToolOutput

@Suite struct UnnamedPassingTests {
    /// Both modes have the same totals, and report all tests that did not simply pass in the same way.
    @Test(arguments: LogReaderTests.runs) func onlyTheNamesOfPassingTestsAreMissing(run: String) throws {
        let bytes = try LogReaderTests.bytes(run)
        let root = LogReaderTests.root(run)
        let named = ReadLog(bytes, root: root)
        let unnamed = ReadLog(bytes, root: root, namesPassing: false)
        #expect(unnamed.verdict == named.verdict)
        #expect(unnamed.issues == named.issues)
        #expect(unnamed.ended.filter { $0.outcome != .passed } == named.ended.filter { $0.outcome != .passed })
        #expect(unnamed.started.allSatisfy(named.started.contains))
        #expect(Set(unnamed.ended.map(\.test)).isSuperset(of: unnamed.started))
    }

    @Test func slowestTestsKeepTheirNames() {
        let lines = (1...100).flatMap { number in
            let time = number == 60 ? "2.5" : number <= 10 ? "0.\(number)" : "0.002"
            return [
                "Test Case 'A.test\(number)' started at 2026-11-20 22:21:21.332",
                "Test Case 'A.test\(number)' passed (\(time) seconds)",
            ]
        }
        let log = ReadLog(Array((lines.joined(separator: "\n") + "\n").utf8), namesPassing: false)
        #expect(log.ended.map(\.test.name) == (1...10).map { "test\($0)" } + ["test60"])
        #expect(log.verdict.passed == 100)
        let counted = log.kinds.compactMap { if case .test(.counted(let tests)) = $0 { tests.passed } else { nil } }
        #expect(counted == [49, 40])
    }
}

@Suite struct CountedFailureTests {
    /// Both modes have the same totals, for any failures and output.
    @Test func afterTheFirstHundredsFailuresAreCounted() {
        let cases = (0..<1500).flatMap { number -> [String] in
            let name = "Some\(number / 100)Tests.test\(number)"
            let failure =
                "/src/Demo/A.swift:3: error: \(name) : XCTAssertEqual failed: (\"3\") is not equal to (\"4\") - sum"
            return ["Test Case '\(name)' started at 2026-11-20 22:21:21.332"]
                + (number % 5 == 1 ? ["a print before"] : []) + (number % 10 == 0 ? [] : [failure])
                + (number % 5 == 2 ? ["of more lines", ""] : []) + (number % 70 == 3 ? [failure] : [])
                + ["Test Case '\(name)' \(number % 10 == 0 ? "passed" : "failed") (0.001 seconds)"]
        }
        let functions = (0..<1500).flatMap { number -> [String] in
            let name = "f\(number)()"
            let issue = "✘ Test \(name) recorded an issue at A.swift:3:9: Expectation failed: (a → 1) == 2"
            return ["◇ Test \(name) started."] + (number % 10 == 0 ? [] : [issue, "↳ more of it"])
                + (number % 10 == 0
                    ? ["✔ Test \(name) passed after 0.001 seconds."]
                    : ["✘ Test \(name) failed after 0.001 seconds with 1 issue."])
        }
        let end = "✘ Test run with 1500 tests in 3 suites failed after 1.0 seconds with 1350 issues."
        let lines = cases + ["◇ Test run started."] + functions + [end, ""]
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let named = ReadLog(bytes)
        let counted = ReadLog(bytes, namesPassing: false)
        #expect(counted.verdict == named.verdict)
        #expect(counted.verdict.failed == 2700)
        #expect(counted.ended.count { $0.outcome == .failed } == 1000)
        #expect(counted.issues.count < 1200)
        for log in [named, counted] {
            var summary = RunSummary(passed: .counts)
            for (number, kind) in log.kinds.enumerated() {
                summary.receive(LaneEvent(number: number, offset: .zero, step: nil, kind: kind))
            }
            #expect(summary.counts.failed == 2700)
            #expect(summary.counts.passed == 300)
            #expect(summary.counts.planned == 3000)
        }
        #expect(ReadLog(bytes, chunk: 97, namesPassing: false).ended == counted.ended)
    }
}

@Suite struct RepeatedNameTests {
    /// In a log without modules, the success of a test must not hide the failure of another test of the same name.
    @Test func testsOfTheSameNameDiffer() {
        let one = "Test Case 'A.b' started at 2026-11-20 22:21:21.332\nTest Case 'A.b' "
        let log = ReadLog(Array((one + "failed (0.1 seconds)\n" + one + "passed (0.1 seconds)\n").utf8))
        #expect(log.ended.map { "\($0.test)" } == ["A/b", "A/b (2)"])
        #expect(log.verdict.failed == 1 && log.verdict.passed == 1)
    }

    @Test func withModulesARepetitionIsAnotherAttempt() {
        let one = "Test Case '-[M.A b]' started.\nTest Case '-[M.A b]' "
        let log = ReadLog(Array((one + "failed (0.1 seconds).\n" + one + "passed (0.1 seconds).\n").utf8))
        #expect(log.ended.map(\.attempt) == [1, 2])
        #expect(Set(log.ended.map(\.test)).count == 1)
    }

    @Test func iterationsAreAttempts() {
        let lines = [
            "◇ Test run started.", "◇ Iteration 1 started.", "◇ Test f() started.",
            "✘ Test f() failed after 0.001 seconds with 1 issue.", "◇ Iteration 2 started.", "◇ Test f() started.",
            "✔ Test f() passed after 0.001 seconds.",
        ]
        let log = ReadLog(Array((lines.joined(separator: "\n") + "\n").utf8))
        #expect(log.ended.map(\.attempt) == [1, 2])
        #expect(log.ended.map(\.outcome) == [.failed, .passed])
    }

    @Test func namesBeyondTheTableAreStillRead() {
        let lines = (0..<100_000).map { "Test Case 'A.t\($0)' passed (0.1 seconds)" }
        let log = ReadLog(Array((lines.joined(separator: "\n") + "\n").utf8), namesPassing: false)
        #expect(log.verdict.passed == 100_000)
    }

    /// `swift test --parallel` prints the counters of all tests before the output of failed ones, whose names contain the
    /// module on macOS.
    @Test(arguments: [true, false]) func announcedTestsHaveTheirResults(isApple: Bool) {
        func name(_ module: String) -> String { isApple ? "-[\(module).X testFails]" : "X.testFails" }
        let counters = ["A.X/testFails", "B.X/testPasses", "B.X/testFails"].enumerated().map {
            "[\($0 + 1)/3] Testing \($1)\n"
        }
        let failures = ["A", "B"].map { module in
            """
            Test Suite 'Selected tests' started at 2025-05-07 16:07:21.904
            Test Case '\(name(module))' started at 2025-05-07 16:07:21.904
            /x/\(module).swift:12: error: \(name(module)) : failed - no
            Test Case '\(name(module))' failed (0.001 seconds)
            Test Suite 'Selected tests' failed at 2025-05-07 16:07:21.904
            \t Executed 1 test, with 1 failure (0 unexpected) in 0.001 (0.001) seconds

            """
        }
        let log = ReadLog(Array((counters.joined() + failures.joined()).utf8))
        let ends = log.ended.map { "\($0.test) \($0.outcome)" }.sorted()
        #expect(ends == ["A.X/testFails failed", "B.X/testFails failed", "B.X/testPasses passed"])
    }
}
