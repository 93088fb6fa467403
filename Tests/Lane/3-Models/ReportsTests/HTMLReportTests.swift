import Events
import TestSupport
import Testing
import Text

@testable import Reports

@Suite struct HTMLReportTests {
    private static let test = TestID(library: .swiftTesting, module: "M", suite: "S", name: "draws(a:b:)")

    /// Returns the page of a run with one failed test.
    private func page(_ sources: ReportSources, text: String = "wrong", attached: String? = nil) -> String {
        let start = StepStart(
            name: "test", action: "test", repeatCommand: "lane test", repeatTestsCommand: "lane test --jobs 1")
        let location = SourceLocation(path: "Tests/A b.swift", line: 7)
        let kinds: [(String?, LaneEvent.Kind)] = [
            (nil, .runStarted(RunStart(lane: "test", steps: [.init(id: StepID("test"), name: "test")], startedAt: 0))),
            ("test", .stepStarted(start)), ("test", .test(.started(Self.test, attempt: 1, worker: 1))),
            ("test", .test(.issue(TestIssue(test: Self.test, text: text, at: location, source: ["f(<a>)"])))),
            ("test", .test(.ended(TestResult(test: Self.test, outcome: .failed, duration: .seconds(1))))),
        ]
        let files: [(String?, LaneEvent.Kind)] =
            attached.map { [("test", .test(.attached(Self.test, path: $0)))] } ?? []
        let end: [(String?, LaneEvent.Kind)] = [(nil, .runEnded(RunEnd(status: 1, duration: .zero)))]
        let events = ReportFixture.events(Array(kinds.dropLast()) + files + kinds.suffix(1) + end)
        return ReportFixture.text(of: events) { HTMLReport(sources: sources, write: $0) }
    }

    @Test func theHeadNamesTheOrigin() {
        let page = page(
            ReportSources(root: "pkg/") {
                _ in
                nil
            } origin: {
                var origin = RunOrigin()
                (origin.commit, origin.branch, origin.isModified) = ("0123456789abcdef", "fix<1>", true)
                (origin.machine, origin.page) = ("linux-x86_64", "https://github.com/o/r")
                return origin
            })
        #expect(
            page.contains(
                "<dt>commit</dt><dd><a href=\"https://github.com/o/r/commit/0123456789abcdef\"><code>0123456789ab</code></a> with changes</dd>"
            ))
        #expect(page.contains("<dt>branch</dt><dd>fix&lt;1&gt;</dd><dt>machine</dt><dd>linux-x86_64</dd>"))
        #expect(page.contains("<dt>command</dt><dd><span class=\"command\"><code>lane test</code></span></dd>"))
        #expect(page.contains("<a href=\"https://github.com/o/r/blob/0123456789abcdef/pkg/Tests/A%20b.swift#L7\">"))
    }

    @Test func anUnknownOriginHasNoLinks() {
        let page = page(ReportSources())
        #expect(!page.contains("<a href") && !page.contains("<dt>commit"))
        #expect(page.contains("<dt>command</dt>"))
    }

    @Test func aFailureExplainsItself() {
        let page = page(
            ReportSources(),
            text: #"XCTAssertEqual failed: ("one two three <x>") is not equal to ("one 2 three <x>") - "#)
        #expect(page.contains("<pre class=\"source\"><span class=\"faint\">7</span> f(&lt;a&gt;)</pre>"))
        #expect(
            page.contains(
                "<del>- one <b>two</b> three &lt;x&gt;</del>\n<ins>+ one <b>2</b> three &lt;x&gt;</ins></pre>"))
        #expect(page.contains("<code>lane test --jobs 1 --filter 'M.S/draws(a:b:)'</code>"), "\(page)")
        // Names break only after separators.
        #expect(page.contains("<code>M.<wbr>S/<wbr>draws(a:b:)</code>"))
    }

    @Test(arguments: [
        (Array("<svg/>".utf8), "image/svg+xml"), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 1], "image/png"),
        ([0xFF, 0xD8, 0xFF], "image/jpeg"), (Array("GIF89a".utf8), "image/gif"),
        (Array("RIFF1234WEBP".utf8), "image/webp"), (Array("RIFF1234WAVE".utf8), nil), ([], nil),
        (Array("<?xml version=\"1.0\"?><x/>".utf8), nil),
    ])
    func attachedPicturesAreShown(bytes: [UInt8], type: String?) {
        let page = page(ReportSources { $0 == "a b" ? bytes : nil }, attached: "a b")
        #expect(page.contains("attached: <code>a b</code>"))
        let picture = type.map { "<img alt=\"a b\" src=\"data:\($0);base64,\(Base64.encode(bytes))\">" }
        #expect(picture.map { page.contains($0) } ?? !page.contains("<img "))
    }

    /// The tests of a log start when `lane` reads their lines.
    @Test(arguments: [true, false]) func logsHaveNoTimeline(isLog: Bool) {
        let steps = isLog ? [] : [StepSummary(id: StepID("test"), name: "test")]
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "test", steps: steps, startedAt: 0))),
            ("test", .test(.started(Self.test, attempt: 1, worker: 1))),
            ("test", .test(.ended(TestResult(test: Self.test, outcome: .passed, duration: .seconds(1))))),
            (nil, .runEnded(RunEnd(status: 0, duration: .seconds(1)))),
        ])
        let page = ReportFixture.text(of: events) { HTMLReport(write: $0) }
        #expect(page.contains("<svg") != isLog)
    }

    /// A page of 20,000 tests has at most 15 MB.
    @Test func manyTestsMakeASmallPage() {
        let step = StepSummary(id: StepID("test"), name: "test")
        var kinds: [(String?, LaneEvent.Kind)] = [
            (nil, .runStarted(RunStart(lane: "test", steps: [step], startedAt: 0)))
        ]
        for number in 0..<20_000 {
            let test = TestID(
                library: .swiftTesting, module: "ModuleTests", suite: "Suite\(number / 20)/Inner",
                name: "aTestWithAName\(number)(of:some:arguments:)")
            kinds.append(("test", .test(.started(test, attempt: 1, worker: number % 8))))
            kinds.append(("test", .test(.ended(TestResult(test: test, outcome: .passed, duration: .milliseconds(3))))))
        }
        kinds.append((nil, .runEnded(RunEnd(status: 0, duration: .seconds(1)))))
        let page = ReportFixture.text(of: ReportFixture.events(kinds), passed: .names) { HTMLReport(write: $0) }
        #expect(page.utf8.count < 15_000_000, "\(page.utf8.count)")
        #expect(page.contains("aTestWithAName19999(of:some:arguments:)"))
    }

    @Test(
        "The axis of a run has few marks, also if machines' clocks differ", arguments: [0.01, 30, 4000, 600_000, 1e10])
    func timelineAxis(seconds: Double) {
        let steps = [StepSummary(id: StepID("test"), name: "test")]
        let end = TestResult(test: Self.test, outcome: .passed, duration: .seconds(seconds))
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "test", steps: steps, startedAt: 0))),
            ("test", .test(.started(Self.test, attempt: 1, worker: 1))),
            ("test", .test(.ended(end))),
            (nil, .runEnded(RunEnd(status: 0, duration: .seconds(seconds)))),
        ])
        let page = ReportFixture.text(of: events) { HTMLReport(write: $0) }
        let marks = page.parts(separatedBy: "class=\"grid\"").count - 1
        #expect((2...9).contains(marks), "\(marks)")
    }
}
