import Events

/// The tests whose ends are missing in a log: tests with a failure, and planned tests.
///
/// A log may contain a failure without an end, for example a late `XCTFail`, or it may start during a test. Such a test
/// ends as failed at the end of the log. A planned test without events did not run.
struct UnsettledTests: Sendable {
    private var tests: [TestID: (order: Int, hasFailed: Bool)] = [:]
    private var count = 0
    /// The last test that ended, if it failed. Further failures of this test change nothing.
    private var lastFailed: TestID?

    /// Moves the value out of its owner and returns it. The owner must restore it.
    mutating func lend() -> UnsettledTests {
        defer { self = UnsettledTests() }
        return self
    }

    /// Updates the tests with a plan, a failure or an end. A pass does not settle a failure.
    mutating func add(_ event: LaneEvent.Kind) {
        switch event {
        case .test(.planned(let planned)):
            for test in planned where tests[test.id] == nil { note(test.id, hasFailed: false) }
        case .test(.issue(let issue)):
            guard issue.severity == .failure, let test = issue.test, test != lastFailed else { return }
            if let noted = tests[test] { tests[test] = (noted.order, true) } else { note(test, hasFailed: true) }
        case .test(.ended(let result)):
            let hasPassed = if case .passed = result.outcome { true } else { false }
            if !hasPassed { lastFailed = result.test } else if lastFailed != nil { lastFailed = nil }
            if !tests.isEmpty, !hasPassed || tests[result.test]?.hasFailed == false { tests[result.test] = nil }
        default: break
        }
    }

    private mutating func note(_ test: TestID, hasFailed: Bool) {
        tests[test] = (count, hasFailed)
        count += 1
    }

    /// Returns and clears the ends of the remaining tests in order.
    ///
    /// - Parameter running: A test whose end the caller reports.
    mutating func takeEnds(except running: TestID? = nil) -> [TestResult] {
        defer { tests = [:] }
        return tests.filter { $0.key != running }.sorted { $0.value.order < $1.value.order }.map { test, standing in
            let outcome: TestResult.Outcome = standing.hasFailed ? .failed : .notRun(reason: "no result was reported")
            return TestResult(test: test, outcome: outcome, duration: nil)
        }
    }
}
