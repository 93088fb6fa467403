import Events

// The end of a log: a log without the result of a build or run has failed.
extension LogReader {
    private static let missingResultText = "the log ends before the result"

    /// The number of runs, suites and tests that have begun.
    var begunTests: Int { testing.totals.runs + xctest.suites.begun + (xctest.hasBegun ? 1 : 0) + counted }

    /// The failure if the log ends before a result, or `nil`. Call this before the running tests are ended.
    ///
    /// Streams may be in any order, so a dead process explains each missing result, and errors of a build are a result.
    var missingResult: LaneEvent.Kind? {
        if crashes.hasDeadProcess { return nil }
        let isOfXcode = xcode.isActive && !xcode.isUnfinished
        if !isOfXcode, hasOpenTests {
            return .test(.issue(TestIssue(test: nil, text: Self.missingResultText)))
        }
        guard build.errors == 0, xcode.isUnfinished || hasOpenBuild || !hasResult else { return nil }
        return .buildDiagnostic(BuildDiagnostic(.error, Self.missingResultText))
    }

    /// The number of results and beginnings of tests so far.
    var results: Int {
        begunTests + [build.hasCompleted, build.hasResolved, xcode.ending != nil].count(where: \.self)
    }

    private var hasOpenTests: Bool {
        testing.isWithinRun || testing.totals.openRuns > 0 || xctest.isWithinSuite || counted < countedTotal
            || stream.hasBegun && !stream.hasEnded || endsWithinLine
    }

    /// A Boolean value that indicates whether a build has neither an end nor tests after it.
    private var hasOpenBuild: Bool {
        switch build.progress {
        case .none: false
        case .planning: begunTests == 0
        case .working: begunTests == testsBeforeBuild
        }
    }

    private var hasResult: Bool {
        verdict.hasTests || testing.totals.tests > 0 || build.hasCompleted || build.hasResolved || xcode.ending != nil
            || xcode.isQuery || stream.hasEnded
    }

    /// Returns the failures of a log that ends before its result, or that ends with the failure of a command.
    mutating func takeMissingResult(_ missing: LaneEvent.Kind?) -> [LaneEvent.Kind] {
        defer { failedCommand = nil }
        guard needsResult else { return [] }
        if let before = resultsBeforeIgnorable, missing == nil, hasResult, results > before { failedCommand = nil }
        var failures: [LaneEvent.Kind] = []
        if let missing, failedCommand != nil || !verdict.isForeign {
            tally.isTruncated = true
            failures.append(missing)
        }
        if let failedCommand, !verdict.isFailure || tally.isTruncated {
            failures.append(.buildDiagnostic(BuildDiagnostic(.error, failedCommand)))
        }
        return failures
    }
}
