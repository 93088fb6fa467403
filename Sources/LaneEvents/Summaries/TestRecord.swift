/// All that is known of one test: what was planned and every attempt at it.
package struct TestRecord: Sendable, Equatable {
    /// One attempt at the test, as far as it is known.
    package struct Attempt: Sendable, Equatable {
        /// From 1; goes on counting when the whole step is retried.
        package let number: Int
        /// Which of the processes side by side ran it, from 1; `nil` where it never began.
        package internal(set) var worker: Int?
        /// When it began, since the run began.
        package internal(set) var startedAt: Duration?
        /// `nil` while it runs.
        package internal(set) var outcome: TestResult.Outcome?
        /// `nil` while it runs, and where nothing was measured.
        package internal(set) var duration: Duration?
        /// At most `issueLimit`; `issueCount` tells how many there were.
        package internal(set) var issues: [TestIssue] = []
        /// All there were.
        package internal(set) var issueCount = 0
        /// Those among them that were expected.
        package internal(set) var knownIssueCount = 0
        /// The argument of a parameterised test that began last.
        package internal(set) var argument: String?
        /// What it printed; forgotten when it passes.
        package internal(set) var output: CappedOutput?

        /// Failures of an attempt that was cut off and that this one goes on with, as far as it has not met them itself.
        var earlierFailures: [TestIssue] = []

        /// Begins with what an attempt that was cut off has recorded.
        mutating func takeFailures(of earlier: Attempt) {
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

        /// The issues that made it fail.
        package var failures: [TestIssue] { issues.filter { $0.severity == .failure } }
    }

    static let issueLimit = 100
    static let attemptLimit = 16

    /// Completed when a later event knows more.
    package internal(set) var info: TestInfo
    /// The place in the order in which the tests became known.
    let order: Int
    /// Oldest first; of very many the first and the last. Empty for a test that was only planned.
    package internal(set) var attempts: [Attempt] = []

    /// What it is called everywhere.
    package var id: TestID { info.id }

    /// The author's name for people, or else `name`.
    var title: String { info.displayName ?? info.id.name }

    /// How it ended in the last attempt; `nil` while it runs or waits.
    package var outcome: TestResult.Outcome? { attempts.last?.outcome }

    /// Passed in the end, but not at first.
    package var isFlaky: Bool {
        outcome == .passed && attempts.contains { $0.outcome?.isFailure == true }
    }

    /// Of the last attempt.
    package var duration: Duration? { attempts.last?.duration }

    /// Where it failed, or else where it is written.
    package var place: SourceLocation? {
        attempts.last?.failures.lazy.compactMap(\.location).first ?? info.location
    }
}

extension TestResult.Outcome {
    /// Whether it counts against the run.
    package var isFailure: Bool {
        switch self {
        case .failed, .crashed, .timedOut: true
        case .passed, .skipped, .notRun: false
        }
    }
}

/// How many tests ended how. After the end, `planned` is the sum of the six outcomes.
package struct TestCounts: Sendable, Equatable {
    /// All that are to be accounted for.
    package var planned = 0
    /// In the end, be it after retries.
    package var passed = 0
    /// In the end: with issues in the last attempt.
    package var failed = 0
    /// By themselves, or because a condition did not hold.
    package var skipped = 0
    /// In whose course the process ended.
    package var crashed = 0
    /// Ended because their time was over.
    package var timedOut = 0
    /// Listed, but never begun.
    package var notRun = 0
    /// Of the passed ones.
    package var flaky = 0
    /// Issues that were expected, in the last attempts of tests that have ended.
    package var knownIssues = 0

    package init() {}

    /// All with a result, whatever it is.
    package var ended: Int { passed + failed + skipped + crashed + timedOut + notRun }

    /// What keeps a run from being green: a test that was listed and has no result does too.
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

    /// One test: planned, and ended as its record tells.
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

/// What a test adds to the totals; nothing as long as it is not known.
struct TestStanding {
    var counts = TestCounts()
    var duration: Duration?

    init() {}

    init(_ record: TestRecord) {
        counts = TestCounts(record)
        duration = record.duration
    }
}

/// A class or suite of tests; free functions of a module are one with an empty name.
package struct SuiteID: Hashable, Sendable, Comparable {
    /// A class and a suite of one name are two.
    package let library: TestLibrary
    /// Empty where a log does not tell it.
    package let module: String
    /// As in `TestID`.
    package let suite: String

    package init(library: TestLibrary, module: String, suite: String) {
        (self.library, self.module, self.suite) = (library, module, suite)
    }

    /// The one that a test belongs to.
    package init(_ test: TestID) {
        (library, module, suite) = (test.library, test.module, test.suite)
    }

    package static func == (one: SuiteID, other: SuiteID) -> Bool {
        haveSameBytes(one.suite, other.suite) && haveSameBytes(one.module, other.module)
            && one.library == other.library
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(NameHash(module, suite)) }

    /// `Module.Suite`, leaving out what is empty; the library where a log tells neither.
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

/// How the tests of one suite did.
package struct SuiteTally: Sendable, Equatable {
    /// Of its own tests, without those of suites inside it.
    package internal(set) var counts = TestCounts()
    /// How many of its tests run now.
    package internal(set) var running = 0
    /// The times of its tests added up; for Swift Testing the longest of them, as they run side by side and each one's
    /// time holds its wait for the others. `nil` where no time is known.
    package internal(set) var duration: Duration?

    package init() {}

    mutating func add(_ tests: CountedTests) {
        counts.planned += tests.passed + tests.failed
        counts.passed += tests.passed
        counts.failed += tests.failed
        // Of those that ran side by side, the longest are told by their names.
        spend(tests.suite.library == .xctest ? tests.duration : .zero, in: tests.suite.library)
    }

    mutating func spend(atLeast time: Duration) { duration = max(duration ?? .zero, time) }

    mutating func begin() {
        counts.planned += 1
        running += 1
    }

    mutating func endPassed(after time: Duration?, in library: TestLibrary) {
        counts.passed += 1
        running -= 1
        spend(time, in: library)
    }

    mutating func count(_ test: TestStanding, insteadOf before: TestStanding, in library: TestLibrary) {
        counts.add(before.counts, times: -1)
        counts.add(test.counts, times: 1)
        spend(test.duration, insteadOf: before.duration, in: library)
    }

    /// Takes in a test's time, in the place of what it was before.
    mutating func spend(_ time: Duration?, insteadOf before: Duration? = nil, in library: TestLibrary) {
        guard time != nil || before != nil else { return }
        let (time, sum) = (time ?? .zero, duration ?? .zero)
        duration = library == .xctest ? sum + time - (before ?? .zero) : max(sum, time)
    }

    /// Every test of it that is known has a result.
    package var isComplete: Bool { counts.ended == counts.planned && running == 0 }
}
