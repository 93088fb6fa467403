import LaneEvents

/// What a log comes to: the totals of its tests and of its build.
package struct LogVerdict: Sendable, Equatable {
    package internal(set) var passed = 0
    package internal(set) var failed = 0
    package internal(set) var skipped = 0
    package internal(set) var crashed = 0
    package internal(set) var timedOut = 0
    package internal(set) var notRun = 0
    /// Tests that the log counts and does not name, as quiet runs do with those that pass.
    package internal(set) var unnamed = 0
    /// Tests that the log announces and of which it tells no more.
    package internal(set) var missing = 0
    package internal(set) var buildErrors = 0
    package internal(set) var buildWarnings = 0
    /// The log itself says that something failed, be it only in a summary.
    package internal(set) var saysFailed = false
    /// There was a test run.
    package internal(set) var hasTests = false

    package init() {}

    package var tests: Int { passed + failed + skipped + crashed + timedOut + notRun + unnamed + missing }

    /// A test run in which nothing ran: green for the tool, but not for us.
    package var hasRunNothing: Bool { hasTests && tests == 0 }

    package var isFailure: Bool {
        saysFailed || buildErrors > 0 || failed + crashed + timedOut + notRun + missing > 0
    }

    mutating func add(_ event: LaneEvent.Kind) {
        switch event {
        case .test(.ended(let result)): add(result.outcome)
        case .test(.passed(let tests)):
            hasTests = true
            passed += tests.count
        case .test(.issue(let issue)) where issue.test == nil && issue.severity == .failure: saysFailed = true
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
