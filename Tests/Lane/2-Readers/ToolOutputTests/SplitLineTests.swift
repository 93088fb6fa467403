import Events
import Testing
import ToolOutput

/// Logs of runs that passed, with a line about a test that other output has split or joined.
@Suite struct SplitLineTests {
    private static let xctest = """
        Test Suite 'All tests' started at 2026-01-01 00:00:00.000
        Test Suite 'A' started at 2026-01-01 00:00:00.000
        Test Case 'A.testX' started at 2026-01-01 00:00:00.000
        Test Case 'A.testX' passed (0.1 seconds)
        Test Case 'A.testY' started at 2026-01-01 00:00:00.000
        Test Case 'A.testY' passed (0.1 seconds)
        Test Suite 'A' passed at 2026-01-01 00:00:00.000
        \t Executed 2 tests, with 0 failures (0 unexpected) in 0.2 (0.2) seconds
        Test Suite 'All tests' passed at 2026-01-01 00:00:00.000
        \t Executed 2 tests, with 0 failures (0 unexpected) in 0.2 (0.2) seconds

        """
    private static let swiftTesting = """
        ◇ Test run started.
        ↳ Testing Library Version: 6.3.1
        ◇ Test a() started.
        ◇ Test b() started.
        ✔ Test a() passed after 0.001 seconds.
        ✔ Test b() passed after 0.001 seconds.
        ✔ Test run with 2 tests in 0 suites passed after 0.002 seconds.

        """

    private static func isAboutTest(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        return text.hasPrefix("Test Case '") || text.contains("() ")
    }

    @Test(arguments: [xctest, swiftTesting], ["noise", "noise\n", "\nnoise\n", "\n"])
    func noTestHasCrashed(_ log: String, _ noise: String) {
        let lines = log.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        for (index, line) in lines.enumerated() where Self.isAboutTest(line) {
            for place in 1...line.count {
                var lines = lines
                lines[index] = line[..<place] + Array(noise.utf8) + line[place...]
                let read = ReadLog(Array(lines.joined(separator: [0x0A])))
                let crashed = read.kinds.contains { kind in
                    guard case .test(.ended(let result)) = kind, case .crashed = result.outcome else { return false }
                    return true
                }
                let split = String(decoding: lines[index], as: UTF8.self)
                #expect(!crashed, "\(split)")
                #expect(!read.verdict.isFailure, "\(split)")
            }
        }
    }

    @Test func theSummaryMayFollowTheLastTestOnItsLine() {
        let log = "◇ Test run started.\n◇ Test a() started.\n✔ Test a() passed after 0.001 seconds."
        let whole = log + "✔ Test run with 1 test in 0 suites passed after 0.002 seconds.\n"
        #expect(!ReadLog(Array(whole.utf8)).verdict.isFailure)
    }

    /// If the run failed and no failed test is known, those without an end are the ones.
    @Test(arguments: [
        "◇ Test run started.\n◇ Test a() started.\n✘ Test a() fai[log]\nled after 0.001 seconds.\n"
            + "✘ Test run with 1 test in 0 suites failed after 0.002 seconds with 1 issue.\n",
        xctest.split(separator: "\n").map { line in
            if line.hasPrefix("Test Case 'A.testY' passed") { return "Test Case 'A.testY' fai[log]\nled (0.1 seconds)" }
            return line.hasPrefix("Test Suite 'A' passed")
                ? "Test Suite 'A' failed at 2026-01-01 00:00:00.000" : "\(line)"
        }.joined(separator: "\n") + "\n",
    ])
    func aTestThatMayHaveFailedHasFailed(_ log: String) {
        let read = ReadLog(Array(log.utf8))
        #expect(read.verdict.isFailure)
        let outcomes = read.kinds.compactMap { kind in
            if case .test(.ended(let result)) = kind { result.outcome } else { nil }
        }
        #expect(outcomes.contains(.failed) && outcomes.allSatisfy { $0 == .failed || $0 == .passed }, "\(outcomes)")
    }
}
