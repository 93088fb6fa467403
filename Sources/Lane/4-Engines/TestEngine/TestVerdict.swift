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
    /// The results of all attempts, including those of quarantined tests. Empty if `swift test` lists no tests.
    package var attempts: [TestResult] = []
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
