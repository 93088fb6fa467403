import Events

/// The totals of a log: its tests and its build.
package struct LogVerdict: Sendable, Equatable {
    /// The number of passed attempts. The numbers up to `notRun` count each attempt.
    package internal(set) var passed = 0
    /// The number of failed attempts, without crashes and timeouts.
    package internal(set) var failed = 0
    /// The number of tests that a condition or the test itself skipped.
    package internal(set) var skipped = 0
    /// The number of tests that were running when their process crashed.
    package internal(set) var crashed = 0
    /// The number of tests that timed out.
    var timedOut = 0
    /// The number of tests that never started.
    package internal(set) var notRun = 0
    /// The number of tests without names, such as passed tests in quiet runs.
    package internal(set) var unnamed = 0
    /// The number of tests that the log announces but does not contain.
    package internal(set) var missing = 0
    /// The number of errors of compilers, linkers and package managers.
    package internal(set) var buildErrors = 0
    /// The number of warnings of compilers, linkers and package managers.
    package internal(set) var buildWarnings = 0
    /// The command line of `xcodebuild`, or `nil` for another log.
    package internal(set) var xcodebuild: String?
    /// A Boolean value that indicates whether a line of the log reports a failure, for example a summary.
    var saysFailed = false
    /// A Boolean value that indicates whether the log contains a test run.
    var hasTests = false

    /// A Boolean value that indicates whether the log ends before the result of a build or run.
    package internal(set) var isTruncated = false

    /// A Boolean value that indicates whether the log contains an event.
    private(set) var hasReported = false
    /// A Boolean value that indicates whether the log is not empty but has no known line. Its result is unknown.
    package internal(set) var isForeign = false

    package init() {}

    /// The number of all tests in the log.
    package var tests: Int { passed + failed + skipped + crashed + timedOut + notRun + unnamed + missing }

    /// The number of tests with names that the log also includes in its totals.
    var named: Int { passed + failed + skipped + crashed + notRun }

    /// A Boolean value that indicates whether a test run contains no tests. The tools report success for it.
    package var hasRunNothing: Bool { hasTests && tests == 0 }

    /// A Boolean value that indicates whether the log reports a failure. The exit status of the tool is not considered.
    package var isFailure: Bool {
        saysFailed || isTruncated || buildErrors > 0 || failed + crashed + timedOut + notRun + missing > 0
    }

    mutating func add(_ event: LaneEvent.Kind) {
        hasReported = true
        switch event {
        case .test(.ended(let result)): add(result.outcome)
        case .test(.counted(let tests)):
            hasTests = true
            passed += tests.passed
            failed += tests.failed
        case .test(.issue(let issue)) where issue.severity == .failure:
            hasTests = true
            saysFailed = true
        case .test: hasTests = true
        case .buildDiagnostic(let diagnostic):
            if diagnostic.severity == .error { buildErrors += 1 }
            if diagnostic.severity == .warning { buildWarnings += 1 }
        default: break
        }
    }

    private mutating func add(_ outcome: TestResult.Outcome) {
        hasTests = true
        switch outcome {
        case .passed: passed += 1
        case .failed: failed += 1
        case .skipped: skipped += 1
        case .crashed: crashed += 1
        case .timedOut: timedOut += 1
        case .notRun: notRun += 1
        }
    }
}
