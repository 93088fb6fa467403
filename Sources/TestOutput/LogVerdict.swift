import LaneEvents

/// What a log comes to: the totals of its tests and of its build.
package struct LogVerdict: Sendable, Equatable {
    /// Ends of tests, as are the five below: a test that is tried again counts once for each attempt.
    package internal(set) var passed = 0
    /// With issues; crashed and timed out ones are not among them.
    package internal(set) var failed = 0
    /// By themselves, or because a condition did not hold.
    package internal(set) var skipped = 0
    /// In whose course the process ended.
    package internal(set) var crashed = 0
    /// Ended because their time was over.
    package internal(set) var timedOut = 0
    /// Listed, but never begun.
    package internal(set) var notRun = 0
    /// Tests that the log counts and does not name, as quiet runs do with those that pass.
    package internal(set) var unnamed = 0
    /// Tests that the log announces and of which it tells no more.
    package internal(set) var missing = 0
    /// Diagnostics of compilers, linkers and package managers.
    package internal(set) var buildErrors = 0
    /// Of the same.
    package internal(set) var buildWarnings = 0
    /// The log itself says that something failed, be it only in a summary.
    var saysFailed = false
    /// There was a test run.
    var hasTests = false

    /// Some line had something to tell.
    private(set) var hasTold = false
    /// Not one line was understood, though there were some: whatever it is the log of, nobody knows how that ended.
    package internal(set) var isForeign = false

    package init() {}

    /// All that the log speaks of.
    package var tests: Int { passed + failed + skipped + crashed + timedOut + notRun + unnamed + missing }

    /// A test run in which nothing ran: green for the tool, but not for us.
    package var hasRunNothing: Bool { hasTests && tests == 0 }

    /// Whether the log is that of a failure, whatever status its tool ended with.
    package var isFailure: Bool {
        saysFailed || buildErrors > 0 || failed + crashed + timedOut + notRun + missing > 0
    }

    mutating func add(_ event: LaneEvent.Kind) {
        hasTold = true
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
