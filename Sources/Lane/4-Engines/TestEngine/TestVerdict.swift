package import Events
package import Text
package import ToolOutput

/// The result of a test run.
package struct TestVerdict: Sendable, Equatable {
    /// The exit status: passed, failed, build failed, nothing ran, crashed, timed out, or ended by a signal.
    package var status: ExitStatus
    /// The totals, or zero if no test ran.
    package var counts: TestCounts
    /// The reason for the status, if the tests do not explain it.
    package var reason: String?
    /// The coverage, if it was requested and measured.
    package var coverage: CoverageReport?
    /// A Boolean value that indicates whether the package contains no tests.
    package var hasNoTests = false

    package init(
        status: ExitStatus, counts: TestCounts = TestCounts(), reason: String? = nil, coverage: CoverageReport? = nil
    ) {
        self.status = status
        self.counts = counts
        self.reason = reason
        self.coverage = coverage
    }

    /// The status as an integer.
    package var rawValue: Int32 { status.rawValue }
}

extension TestVerdict {
    /// Creates the verdict on tests that an error prevents from running.
    package init(_ failure: TestEngineFailure) {
        self.init(status: failure.status, reason: failure.message)
        hasNoTests = failure.hasNoTests
    }

    /// The verdict on a cancelled run.
    static func cancelled(by signal: Int32, _ counts: TestCounts = TestCounts()) -> TestVerdict {
        TestVerdict(status: .signalled(signal), counts: counts, reason: "the run was cancelled")
    }

    /// Creates the verdict on the results of all tests. The most severe result determines the status.
    init(of counts: TestCounts, _ outside: OutsideFailure, _ stop: StopReason?, flakyFails: Bool) {
        self.init(status: .done, counts: counts)
        if case .runTimeout(let limit) = stop {
            (status, reason) = (.timedOut, "the tests exceeded their time limit of \(limit.inWords)")
        } else if counts.crashed > 0 || outside == .fault {
            status = .testCrashed
        } else if counts.unsuccessful > 0 || outside == .issue {
            status = .failed
        } else if flakyFails, counts.flaky > 0 {
            (status, reason) = (.failed, "\(count(counts.flaky, "test")) passed only when retried")
        }
    }

    /// Adds the coverage. Changes a success to a failure if the coverage is below the threshold.
    mutating func add(_ coverage: CoverageReport, threshold: Double?) {
        self.coverage = coverage
        let shortfall = threshold.flatMap { coverage.shortfall(below: $0) }
        if let shortfall, status == .done { (status, reason) = (.failed, shortfall) }
    }

    /// Creates the verdict on a run without tests.
    init(of emptiness: TestSelection.Emptiness, in package: SwiftPackage) {
        self.init(status: .done)
        switch emptiness {
        case .noneFailed(others: 0): reason = "nothing to do: no test failed in the last run"
        case .noneFailed(let others):
            reason = "nothing to do: none of these tests failed in the last run; \(count(others, "other")) did"
        case .noneConcerned: reason = "nothing to do: the changed files affect none of these tests"
        case .emptyShard(let shard):
            reason = "shard \(shard.index) of \(shard.count) has no tests: there are more shards than tests"
        case .noTests:
            let entryPoint = package.testEntryPoint
            let hint = entryPoint.map {
                "\nhint: '\($0)' lists the tests; use '--arguments=\(SwiftPackage.discovery)' to ignore it"
            }
            (status, reason) = (.nothingRan, "the package has no tests" + (hint ?? ""))
            hasNoTests = entryPoint == nil
        case .noneRecorded:
            (status, reason) = (
                .nothingRan, "no earlier run of these tests is recorded\nhint: run them without '--failed'"
            )
        case .allSkipped(let patterns):
            (status, reason) = (.nothingRan, "--skip \(quoted(patterns)) excludes all tests")
        case .noMatch(let patterns, let nearest):
            let names = patterns.contains { $0.hasPrefix("tag:") } ? "; patterns select by name, not by tag" : ""
            let hint = nearest.isEmpty ? "'--list' lists the tests\(names)" : "did you mean \(quoted(nearest))?"
            (status, reason) = (.nothingRan, "no test matches \(quoted(patterns))\nhint: \(hint)")
        }
    }
}

private func quoted(_ words: [String]) -> String { list(words.map { "'\($0)'" }) }
