import CLibrary
import Events
import OperatingSystem
import Reports
import TestSupport
import Testing
import Text

/// Tests of the reports for files and for the logs of CI services.
@Suite struct FileReportTests {
    @Test func junitReport() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { JUnitReport(write: $0) }, "junit.xml")
    }

    /// With the names of passed tests only, the report is the same.
    @Test func junitReportNeedsNoRecordsOfPassedTests() throws {
        let events = try ReportFixture.events()
        let text = ReportFixture.text(of: events, passed: .names) { JUnitReport(write: $0) }
        #expect(text == ReportFixture.text(of: events) { JUnitReport(write: $0) })
    }

    @Test func gitHubCommands() throws {
        let text = ReportFixture.text(of: try ReportFixture.events()) {
            AnnotationReport(GitHubCommands(), root: "package/", write: $0)
        }
        expectGolden(text, "github.txt")
    }

    @Test func markdownSummary() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { MarkdownSummary(write: $0) }, "summary.md")
    }

    @Test func htmlReport() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { HTMLReport(write: $0) }, "report.html")
    }

    @Test func sarifReport() throws {
        expectGolden(ReportFixture.text(of: try ReportFixture.events()) { SARIFReport(write: $0) }, "run.sarif")
    }

    /// Code scanning resolves paths against the root of the repository.
    @Test(arguments: ["sarif", "junit"]) func pathsAreRelativeToTheRepository(format: String) throws {
        let events = try ReportFixture.events()
        func text(root: String) -> String {
            if format == "sarif" {
                ReportFixture.text(of: events) { SARIFReport(root: root, write: $0) }
            } else {
                ReportFixture.text(of: events) { JUnitReport(root: root, write: $0) }
            }
        }
        let mark = format == "sarif" ? "\"uri\": \"" : "file=\""
        func paths(_ text: String) -> [String] {
            text.split(separator: "\n").compactMap { line -> String? in
                guard let range = line.firstRange(of: mark) else { return nil }
                return String(Substring(line)[range.upperBound...].prefix { $0 != "\"" })
            }
        }
        let plain = paths(text(root: ""))
        #expect(!plain.isEmpty)
        #expect(
            paths(text(root: "pkg/"))
                == plain.map { $0.hasPrefix("/") || $0.hasPrefix("file://") ? $0 : "pkg/\($0)" })
    }

    @Test func longCommandsAreTruncated() {
        let command = "tool --with é" + String(repeating: "x", count: 100_000)
        let start = LaneEvent.Kind.stepStarted(StepStart(name: "a", action: "run", command: command))
        let screen = ReportFixture.text(of: ReportFixture.events([("a", start)])) {
            PlainReport(style: .plain, write: $0)
        }
        #expect(screen.hasPrefix("> a  tool --with éxx") || screen.hasPrefix("▸ a  tool --with éxx"), "\(screen)")
        #expect(screen.unicodeScalars.count < 600)
    }

    /// Terminals show a truncated argument, and report files contain all of it.
    @Test func longArgumentsAreTruncated() {
        let test = TestID(library: .swiftTesting, module: "M", suite: "S", name: "a(_:)")
        let argument = "x → \"" + String(repeating: "é", count: 100_000) + "\nend"
        let issue = TestIssue(
            test: test, text: "boom", at: SourceLocation(path: "A.swift", line: 1), argument: argument)
        let kinds: [TestEvent] = [
            .planned([TestInfo(id: test)]), .started(test, attempt: 1, worker: 1), .issue(issue),
            .ended(TestResult(test: test, outcome: .failed, duration: nil, attempt: 1)), .finished,
        ]
        let events = ReportFixture.events(
            kinds.map { ("test", .test($0)) } + [(nil, .runEnded(RunEnd(status: 1, duration: .seconds(1))))])
        let screen = ReportFixture.text(of: events) { PlainReport(style: .plain, write: $0) }
        let shown = "A.swift:1 with x → \"\(String(repeating: "é", count: 494))…"
        let recap = "A.swift:1 with x → \"\(String(repeating: "é", count: 53))…"
        #expect(
            redacted(screen) == """
                ✘ M.S/a(_:) failed
                    \(shown)
                    boom
                ✘ M.S                                      1 failed

                Failed (1)
                  ✘ M.S/a(_:) failed
                      \(recap)
                      boom

                ✘ 1 test in 1 suite: 1 failed
                ✘  failed after <time>

                """)
        #expect(ReportFixture.text(of: events) { JUnitReport(write: $0) }.contains(argument.dropFirst(5)))
    }

    /// Test names in back quotes can contain any characters.
    @Test func namesAreEscapedInMarkdown() {
        let test = TestID(library: .swiftTesting, module: "M", suite: "S", name: "`a <b> *c* _d_`()")
        let other = TestID(library: .swiftTesting, module: "M", suite: "S", name: "`<e> [f](g) |`()")
        let kinds: [TestEvent] = [
            .planned([TestInfo(id: test), TestInfo(id: other)]), .started(test, attempt: 1, worker: 1),
            .ended(TestResult(test: test, outcome: .failed, duration: nil, attempt: 1)),
            .started(test, attempt: 2, worker: 1),
            .ended(TestResult(test: test, outcome: .passed, duration: nil, attempt: 2)),
            .ended(TestResult(test: other, outcome: .notRun(reason: "x"), duration: nil, attempt: 1)), .finished,
        ]
        let events = ReportFixture.events(
            kinds.map { ("test", .test($0)) } + [(nil, .runEnded(RunEnd(status: 1, duration: .seconds(1))))])
        let text = ReportFixture.text(of: events) { MarkdownSummary(write: $0) }
        #expect(
            text == """
                ## ❌  failed after 1.000 s

                **2 tests**: 1 passed (1 flaky), 1 not run

                ### Not run (1)

                - <code>M.S/\\`&lt;e&gt; \\[f](g) \\|\\`() not run: x</code>
                ### Flaky (1)

                - <code>M.S/\\`a &lt;b&gt; \\*c\\* \\_d\\_\\`()</code> passed on attempt 2


                """)
    }

    @Test func azureCommands() throws {
        let text = ReportFixture.text(of: try ReportFixture.events()) {
            AnnotationReport(AzureCommands(), write: $0)
        }
        expectGolden(text, "azure.txt")
    }

    /// Reports name files of a package in a subdirectory, also through a symbolic link.
    @Test func packagesHaveAPathInTheirRepository() throws {
        let place = try TemporaryDirectory()
        let root = resolvedPath(place.path) ?? place.path
        for directory in ["repo/.git", "repo/deep/pkg"] { try makeDirectories("\(root)/\(directory)") }
        #expect(ReportFiles.pathInRepository(of: "\(root)/repo") == "")
        #expect(ReportFiles.pathInRepository(of: "\(root)/repo/deep/pkg") == "deep/pkg/")
        try #require(symlink("repo/deep", "\(root)/linked") == 0)
        #expect(ReportFiles.pathInRepository(of: "\(root)/linked/pkg") == "deep/pkg/")
    }
}
