import Events
import Reports
import TestSupport
import Testing
import Text

/// Tests that reports are complete for any events, because a log may be truncated, spliced or reordered.
@Suite struct AnyEventsTests {
    @Test(arguments: 0..<12) func noOrderOfEventsBreaksAReport(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func draw(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        let whole = try ReportFixture.events()
        let end = try #require(whole.last)
        var events = (0..<whole.count * 2).map { _ in whole[draw(whole.count)] }.filter { $0.kind != end.kind }
        events.append(end)
        let style = TextStyle(isColored: seed % 2 == 0, isUnicode: seed % 3 == 0)
        let width = draw(120)
        var screens: [[UInt8]] = []
        let makers: [(@escaping Sink) -> any EventReceiver] = [
            { PlainReport(style: style, level: .verbose, commands: GitHubCommands(), write: $0) },
            { PlainReport(style: style, write: $0) },
            { TerminalReport(style: style, level: .verbose, size: { TerminalSize(columns: width) }, write: $0) },
            { TerminalReport(style: style, level: .quiet, size: { TerminalSize(columns: width) }, write: $0) },
            { AnnotationReport(GitHubCommands(), write: $0) }, { AnnotationReport(AzureCommands(), write: $0) },
            { AgentReport(write: $0) }, { MarkdownSummary(write: $0) },
        ]
        for make in makers { screens.append(Array(ReportFixture.text(of: events, make).utf8)) }
        #expect(screens[..<3].allSatisfy { $0.last == UInt8(ascii: "\n") })
        #expect(ReportFixture.text(of: events) { HTMLReport(write: $0) }.hasSuffix("</html>\n"))
        let document = try XMLDocument(ReportFixture.text(of: events) { JUnitReport(write: $0) })
        var summary = RunSummary()
        for event in events { summary.receive(event) }
        // Failures outside any test have the lane as their class.
        let tests = document.all("testcase").filter { $0.attributes["classname"] != summary.lane }
        #expect(tests.count == summary.counts.planned)
    }

    /// A run that is interrupted at any point, as by Ctrl-C.
    @Test func aRunCutAnywhereIsStillReported() throws {
        let whole = try ReportFixture.events()
        let end = try #require(whole.last)
        for count in stride(from: 0, to: whole.count, by: 3) {
            let events = whole.prefix(count) + [end]
            let screen = ReportFixture.text(of: Array(events)) {
                PlainReport(style: .plain, commands: GitHubCommands(), write: $0)
            }
            #expect(screen.contains(" failed after 13.034 s\n"))
            let groups = screen.split(separator: "\n").filter { $0.hasPrefix("::group::") || $0 == "::endgroup::" }
            #expect(groups.count.isMultiple(of: 2))
            let document = try XMLDocument(ReportFixture.text(of: Array(events)) { JUnitReport(write: $0) })
            let bare = document.all("testcase").filter(\.children.isEmpty).compactMap { $0.attributes["name"] }
            #expect(Set(bare).isSubset(of: ["testSum", "testSlow", "isClosed()", "isKnown()", "free()"]))
        }
    }
}
