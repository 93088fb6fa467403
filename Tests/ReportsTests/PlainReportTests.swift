import Diagnostics
import LaneEvents
import Reports
import TestSupport
import Testing

@Suite struct PlainReportTests {
    @Test(arguments: [(ReportLevel.quiet, "quiet"), (.normal, "normal"), (.verbose, "verbose")])
    func plain(level: ReportLevel, name: String) throws {
        let text = ReportFixture.text(of: try ReportFixture.events()) {
            PlainReport(style: .plain, level: level, write: $0)
        }
        expectGolden(text, "plain-\(name).txt")
    }

    @Test func asciiWithoutUnicode() throws {
        let style = TextStyle(isColored: false, isUnicode: false)
        let text = ReportFixture.text(of: try ReportFixture.events()) { PlainReport(style: style, write: $0) }
        expectGolden(text, "plain-ascii.txt")
    }

    @Test(arguments: [CIHost.github, .azure, .teamCity])
    func groupsOfAService(host: CIHost) throws {
        let text = ReportFixture.text(of: try ReportFixture.events()) {
            PlainReport(style: .plain, host: host, write: $0)
        }
        expectGolden(text, "plain-\(host.rawValue).txt")
    }
}
