import Diagnostics
import LaneEvents
import Reports
import TestSupport
import Testing

/// The reports that go into files and into the logs of services.
@Suite struct FileReportTests {
    @Test func junit() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { JUnitReport(write: $0) }, "junit.xml")
    }

    @Test func github() throws {
        let text = ReportFixture.text(of: try ReportFixture.events()) { GitHubReport(root: "package/", write: $0) }
        expectGolden(text, "github.txt")
    }

    @Test func markdown() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { MarkdownSummary(write: $0) }, "summary.md")
    }
}
