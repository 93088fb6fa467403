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
        let text = ReportFixture.text(of: try ReportFixture.events()) {
            AnnotationReport.github(root: "package/", write: $0)
        }
        expectGolden(text, "github.txt")
    }

    @Test func markdown() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { MarkdownSummary(write: $0) }, "summary.md")
    }

    @Test func html() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { HTMLReport(write: $0) }, "report.html")
    }

    @Test func azure() throws {
        expectGolden(
            ReportFixture.text(of: try ReportFixture.events()) { AnnotationReport.azure(write: $0) }, "azure.txt")
    }

    @Test func teamCity() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { TeamCityReport(write: $0) }, "teamcity.txt")
    }
}
