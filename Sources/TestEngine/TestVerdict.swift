package import Diagnostics
package import LaneEvents

/// What came of a test run as a whole.
package struct TestVerdict: Sendable, Equatable {
    /// Passed, failed, build failed, nothing ran, crashed, timed out as a whole, or ended by a signal.
    package var status: ExitStatus
    /// Of the whole run; zero where none came about.
    package var counts: TestCounts
    /// Why the status is what it is where the tests alone do not tell; fit for a person.
    package var reason: String?
    /// Only where it was asked for and could be measured.
    package var coverage: CoverageReport?
    /// Nothing ran because there is nothing in the package that could.
    package var hasNoTests = false

    package init(
        status: ExitStatus, counts: TestCounts = TestCounts(), reason: String? = nil, coverage: CoverageReport? = nil
    ) {
        self.status = status
        self.counts = counts
        self.reason = reason
        self.coverage = coverage
    }

    /// The status as a number.
    package var rawValue: Int32 { status.rawValue }
}
