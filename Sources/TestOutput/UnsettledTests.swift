import LaneEvents

/// The tests whose ends a log owes: they recorded a failure, or were planned.
///
/// A log may tell a failure without an end: a late `XCTFail`, a log that begins in the middle of a test. Such a test ends
/// as failed when the log ends, whatever was said of it before. One that was only planned did not run.
struct UnsettledTests: Sendable {
    private var tests: [TestID: (order: Int, hasFailed: Bool)] = [:]
    private var count = 0
    /// The test that ended last and did not pass: further failures of it change nothing.
    private var lastFailed: TestID?

    /// Takes them out of their owner, who puts them back.
    mutating func lend() -> UnsettledTests {
        defer { self = UnsettledTests() }
        return self
    }

    /// Takes note of plans and failures, and of the ends that settle them. A pass settles no failure.
    mutating func add(_ event: LaneEvent.Kind) {
        switch event {
        case .test(.planned(let planned)):
            for test in planned where tests[test.id] == nil { note(test.id, hasFailed: false) }
        case .test(.issue(let issue)):
            guard issue.severity == .failure, let test = issue.test, test != lastFailed else { return }
            if let noted = tests[test] { tests[test] = (noted.order, true) } else { note(test, hasFailed: true) }
        case .test(.ended(let result)):
            lastFailed = result.outcome == .passed ? nil : result.test
            if !tests.isEmpty, result.outcome != .passed || tests[result.test]?.hasFailed == false {
                tests[result.test] = nil
            }
        default: break
        }
    }

    private mutating func note(_ test: TestID, hasFailed: Bool) {
        tests[test] = (count, hasFailed)
        count += 1
    }

    /// The ends of the tests that are left, in the order in which they came; forgets them.
    ///
    /// - Parameter running: A test whose end others tell.
    mutating func takeEnds(except running: TestID? = nil) -> [TestResult] {
        defer { tests = [:] }
        return tests.filter { $0.key != running }.sorted { $0.value.order < $1.value.order }.map { test, standing in
            let outcome: TestResult.Outcome = standing.hasFailed ? .failed : .notRun(reason: "no result was reported")
            return TestResult(test: test, outcome: outcome, duration: nil)
        }
    }
}
