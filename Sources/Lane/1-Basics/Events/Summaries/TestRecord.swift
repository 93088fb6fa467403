/// The record of one test with all its attempts.
package struct TestRecord: Sendable, Equatable {
    /// An attempt at the test.
    package struct Attempt: Sendable, Equatable {
        /// The number of the attempt, from 1. It continues when the step is retried.
        package let number: Int
        /// The number of the process that runs the attempt, from 1, or `nil` if it never started.
        package internal(set) var worker: Int?
        /// The time from the start of the run to the start of the attempt.
        package internal(set) var startedAt: Duration?
        /// The result, or `nil` while the attempt runs.
        package internal(set) var outcome: TestResult.Outcome?
        /// The duration, or `nil` while the attempt runs or if it was not measured.
        package internal(set) var duration: Duration?
        /// The first `issueLimit` issues.
        package internal(set) var issues: [TestIssue] = []
        /// The number of all issues.
        package internal(set) var issueCount = 0
        /// The number of known issues.
        var knownIssueCount = 0
        /// The paths of the attached files, relative to the package's root.
        package internal(set) var attachments: [String] = []
        /// The latest argument of a parameterized test.
        package internal(set) var argument: String?
        /// The output, which is discarded if the attempt passes.
        package internal(set) var output: CappedOutput?

        /// The failures of the interrupted attempt that this attempt continues, without repeated failures.
        var earlierFailures: [TestIssue] = []

        /// Adds the failures of an interrupted attempt.
        mutating func addFailures(of earlier: Attempt) {
            issues = earlier.failures
            issueCount = issues.count
            earlierFailures = issues
        }

        mutating func add(_ issue: TestIssue) {
            if let known = earlierFailures.firstIndex(of: issue) {
                earlierFailures.remove(at: known)
                return
            }
            issueCount += 1
            if issue.severity == .known { knownIssueCount += 1 }
            if issues.count < TestRecord.issueLimit { issues.append(issue) }
        }

        /// The issues that made the attempt fail.
        package var failures: [TestIssue] { issues.filter { $0.severity == .failure } }
    }

    static let issueLimit = 100
    static let attemptLimit = 16

    /// The test, completed by later events.
    package internal(set) var info: TestInfo
    /// The position of the test in the order of first mention.
    package let order: Int
    /// The attempts in order. If there are more than `attemptLimit`, only the first and the last are kept.
    package internal(set) var attempts: [Attempt] = []

    package var id: TestID { info.id }

    /// The result of the last attempt, or `nil` before the attempt ends.
    package var outcome: TestResult.Outcome? { attempts.last?.outcome }

    /// A Boolean value that indicates whether the test failed first and passed in the end.
    package var isFlaky: Bool {
        outcome == .passed && attempts.contains { $0.outcome?.isFailure == true }
    }

    /// The duration of the last attempt.
    package var duration: Duration? { attempts.last?.duration }

    /// The location of the failure, or the location of the test if there is none.
    package var location: SourceLocation? {
        attempts.last?.failures.lazy.compactMap(\.location).first ?? info.location
    }
}

extension TestResult.Outcome {
    /// A Boolean value that indicates whether the test counts as failed.
    package var isFailure: Bool {
        switch self {
        case .failed, .crashed, .timedOut: true
        case .passed, .skipped, .notRun: false
        }
    }
}

/// The number of tests by result. At the end, `planned` is the sum of the six results.
package struct TestCounts: Sendable, Equatable {
    /// The number of planned tests.
    package var planned = 0
    /// The number of tests that passed, possibly after retries.
    package var passed = 0
    /// The number of tests whose last attempt failed.
    package var failed = 0
    /// The number of tests that were skipped, by the test or by a condition.
    package var skipped = 0
    /// The number of tests that were running when their process crashed.
    package var crashed = 0
    /// The number of tests that timed out.
    package var timedOut = 0
    /// The number of planned tests that never started.
    package var notRun = 0
    /// The number of tests that failed first and passed when they were retried.
    package var flaky = 0
    /// The number of known issues in the last attempts.
    package var knownIssues = 0

    package init() {}

    /// The number of tests with a result.
    package var ended: Int { passed + failed + skipped + crashed + timedOut + notRun }

    /// The number of tests that make the run fail.
    package var unsuccessful: Int { failed + crashed + timedOut + notRun }

    package static func + (one: TestCounts, other: TestCounts) -> TestCounts {
        var sum = one
        sum.add(other, times: 1)
        return sum
    }

    mutating func add(_ other: TestCounts, times: Int) {
        planned += times * other.planned
        passed += times * other.passed
        failed += times * other.failed
        skipped += times * other.skipped
        crashed += times * other.crashed
        timedOut += times * other.timedOut
        notRun += times * other.notRun
        flaky += times * other.flaky
        knownIssues += times * other.knownIssues
    }

    /// Creates the counts of one test.
    init(_ record: TestRecord) {
        planned = 1
        flaky = record.isFlaky ? 1 : 0
        knownIssues = record.outcome == nil ? 0 : record.attempts.last?.knownIssueCount ?? 0
        switch record.outcome {
        case .passed: passed = 1
        case .failed: failed = 1
        case .skipped: skipped = 1
        case .crashed: crashed = 1
        case .timedOut: timedOut = 1
        case .notRun: notRun = 1
        case nil: break
        }
    }
}

/// The values that a test adds to the totals.
struct TestContribution {
    var counts = TestCounts()
    var duration: Duration?

    init() {}

    init(_ record: TestRecord) {
        counts = TestCounts(record)
        duration = record.duration
    }
}

/// The identifier of a test class or suite. The free functions of a module form a suite with an empty name.
package struct SuiteID: Hashable, Sendable, Comparable {
    /// The library. An XCTest class and a Swift Testing suite of the same name are different suites.
    package let library: TestLibrary
    /// The module, or an empty string if a log does not name it.
    package let module: String
    /// The name of the suite as in `TestID`.
    package let suite: String

    package init(library: TestLibrary, module: String, suite: String) {
        (self.library, self.module, self.suite) = (library, module, suite)
    }

    /// Creates the identifier of a test's suite.
    package init(_ test: TestID) {
        (library, module, suite) = (test.library, test.module, test.suite)
    }

    package static func == (one: SuiteID, other: SuiteID) -> Bool {
        haveSameBytes(one.suite, other.suite) && haveSameBytes(one.module, other.module)
            && one.library == other.library
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(NameHash(module, suite)) }

    /// The title `Module.Suite` without empty parts, or the name of the library if both are empty.
    package var title: String {
        switch (module.isEmpty, suite.isEmpty) {
        case (false, false): "\(module).\(suite)"
        case (false, true): module
        case (true, false): suite
        case (true, true): library == .xctest ? "XCTest" : "Swift Testing"
        }
    }

    package static func < (one: SuiteID, other: SuiteID) -> Bool {
        (one.module, one.suite, one.library) < (other.module, other.suite, other.library)
    }
}

/// The totals of a suite.
package struct SuiteTally: Sendable, Equatable {
    /// The counts of the suite's tests, without tests of nested suites.
    package internal(set) var counts = TestCounts()
    /// The number of running tests.
    package internal(set) var running = 0
    /// The sum of the durations for XCTest, or the maximum for Swift Testing, whose tests run in parallel. `nil` if no
    /// duration is known.
    package internal(set) var duration: Duration?

    package init() {}

    mutating func add(_ tests: CountedTests) {
        counts.planned += tests.passed + tests.failed
        counts.passed += tests.passed
        counts.failed += tests.failed
        // The slowest tests are reported by name, so the maximum duration of parallel tests is known without this sum.
        addDuration(tests.suite.library == .xctest ? tests.duration : .zero, in: tests.suite.library)
    }

    mutating func extendDuration(toAtLeast time: Duration) { duration = max(duration ?? .zero, time) }

    mutating func begin() {
        counts.planned += 1
        running += 1
    }

    mutating func endPassed(after time: Duration?, in library: TestLibrary) {
        counts.passed += 1
        running -= 1
        addDuration(time, in: library)
    }

    mutating func count(_ test: TestContribution, insteadOf before: TestContribution, in library: TestLibrary) {
        counts.add(before.counts, times: -1)
        counts.add(test.counts, times: 1)
        addDuration(test.duration, insteadOf: before.duration, in: library)
    }

    /// Replaces a test's duration in the total.
    mutating func addDuration(_ time: Duration?, insteadOf before: Duration? = nil, in library: TestLibrary) {
        guard time != nil || before != nil else { return }
        let (time, sum) = (time ?? .zero, duration ?? .zero)
        duration = library == .xctest ? sum + time - (before ?? .zero) : max(sum, time)
    }

    /// A Boolean value that indicates whether all known tests of the suite have a result.
    package var isComplete: Bool { counts.ended == counts.planned && running == 0 }
}
