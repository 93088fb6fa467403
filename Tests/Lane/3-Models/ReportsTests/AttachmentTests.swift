import Events
import Reports
import TestSupport
import Testing
import Text

/// Tests that every report names the files that tests attach.
@Suite struct AttachmentTests {
    private static let test = TestID(library: .swiftTesting, module: "M", suite: "S", name: "draws()")

    private func text(
        _ outcome: TestResult.Outcome = .failed, passed: PassedTestDetail = .records,
        _ makeReport: (@escaping Sink) -> any EventReceiver
    ) -> String {
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "test", steps: [], startedAt: 0))),
            ("test", .test(.started(Self.test, attempt: 1, worker: 1))),
            ("test", .test(.attached(Self.test, path: ".lane/a b.png"))),
            ("test", .test(.ended(TestResult(test: Self.test, outcome: outcome, duration: nil)))),
            (nil, .runEnded(RunEnd(status: outcome == .passed ? 0 : 1, duration: .zero))),
        ])
        return ReportFixture.text(of: events, passed: passed, makeReport)
    }

    @Test func screensNameTheFilesOfFailures() {
        #expect(
            text { PlainReport(style: .plain, level: .quiet, write: $0) }.hasPrefix(
                """
                ✘ M.S/draws() failed
                    attached: .lane/a b.png

                """))
        #expect(text { AgentReport(write: $0) }.contains("\n attached: .lane/a b.png\n"))
        #expect(text { MarkdownSummary(write: $0) }.contains("attached: .lane/a b.png"))
    }

    @Test func theSARIFReportNamesTheFilesOfFailures() throws {
        let report = try JSONParser.parse(Array(text { SARIFReport(root: "pkg/", write: $0) }.utf8))
        let result = report["runs"]?.array?.first?["results"]?.array?.first
        let uri = result?["attachments"]?.array?.first?["artifactLocation"]?["uri"]?.string
        #expect(uri == "pkg/.lane/a%20b.png")
    }

    /// GitLab and Jenkins read this form. The path is relative to the repository.
    @Test(arguments: [TestResult.Outcome.failed, .passed], [PassedTestDetail.records, .names])
    func theJUnitReportNamesTheFilesOfAllTests(outcome: TestResult.Outcome, passed: PassedTestDetail) throws {
        let report = text(outcome, passed: passed) { JUnitReport(root: "pkg/", write: $0) }
        #expect(try XMLDocument(report).all("testcase").count == 1)
        #expect(report.contains("<system-out>[[ATTACHMENT|pkg/.lane/a b.png]]\n</system-out>"))
    }
}
