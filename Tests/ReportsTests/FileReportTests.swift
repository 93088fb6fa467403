import Diagnostics
import LaneEvents
import Reports
import TestSupport
import Testing

/// The reports that go into files and into the logs of services.
@Suite struct FileReportTests {
    @Test func aRunInTheFormOfJUnit() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { JUnitReport(write: $0) }, "junit.xml")
    }

    @Test func aRunAsCommandsOfGitHub() throws {
        let text = ReportFixture.text(of: try ReportFixture.events()) {
            AnnotationReport.github(root: "package/", write: $0)
        }
        expectGolden(text, "github.txt")
    }

    @Test func aRunAsASummaryInMarkdown() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { MarkdownSummary(write: $0) }, "summary.md")
    }

    @Test func aRunAsOnePage() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { HTMLReport(write: $0) }, "report.html")
    }

    @Test func aRunAsCommandsOfAzure() throws {
        expectGolden(
            ReportFixture.text(of: try ReportFixture.events()) { AnnotationReport.azure(write: $0) }, "azure.txt")
    }

    @Test func aRunAsMessagesOfTeamCity() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { TeamCityReport(write: $0) }, "teamcity.txt")
    }
}
