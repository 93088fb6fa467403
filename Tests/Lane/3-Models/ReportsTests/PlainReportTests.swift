import Events
import Reports
import TestSupport
import Testing
import Text

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

    @Test(arguments: [CIService.github, .azure])
    func groupsOfAService(_ service: CIService) throws {
        let text = ReportFixture.text(of: try ReportFixture.events()) {
            PlainReport(style: .plain, commands: service.commands, write: $0)
        }
        expectGolden(text, "plain-\(service.name).txt")
    }

    @Test(arguments: [
        (3, "3 tests failed", " (exit status 3)"), (3, "no file 'a33'", " (exit status 3)"),
        (3, "exit status 3", ""), (3, "exit status 34", " (exit status 3)"),
        (3, "'x' failed with exit status 3: y", ""), (1, "a test failed", ""),
    ])
    func theStatusOfAFailureIsNamedOnce(_ number: Int32, _ message: String, _ status: String) {
        let end = StepEnd(name: "x", outcome: .failed(status: number, message: message), duration: .zero)
        let text = ReportFixture.text(of: ReportFixture.events([("x", .stepEnded(end))])) {
            PlainReport(style: .plain, write: $0)
        }
        #expect(text.hasPrefix("✘ x: \(message)\(status)\n"), "\(text)")
    }

    @Test(arguments: [
        ("echo \"a b\"", "echo 'a b'", ""), ("echo a b", "echo 'a b'", ""), ("echo a (os: b)", "echo 'a'", ""),
        ("greet", "echo a", "  echo a"),
    ])
    func aHeadingNamesACommandOnce(_ name: String, _ command: String, _ shown: String) {
        let start = LaneEvent.Kind.stepStarted(StepStart(name: name, action: "run", command: command))
        let text = ReportFixture.text(of: ReportFixture.events([("x", start)])) {
            PlainReport(style: .plain, write: $0)
        }
        #expect(text.hasPrefix("▸ \(name)\(shown)\n"), "\(text)")
    }

    @Test(arguments: [
        ("\u{1B}[31mred\n", "\u{1B}[31mred\n\u{1B}[0m"), ("\u{1B}[1;31mred", "\u{1B}[1;31mred\u{1B}[0m\n"),
        ("\u{1B}[31mred\u{1B}[", "\u{1B}[31mred\u{1B}[\u{1B}[0m\n"),
        ("\u{1B}[31mred\u{1B}[39;22m\n", "\u{1B}[31mred\u{1B}[39;22m\n"), ("\u{1B}[Kred\n", "\u{1B}[Kred\n"),
        ("\u{1B}[31mred\u{1B}(B\u{1B}[m\n", "\u{1B}[31mred\u{1B}(B\u{1B}[m\n"),
    ])
    func aColorEndsWithItsStep(_ output: String, _ shown: String) {
        let kinds: [(String?, LaneEvent.Kind)] = [
            ("x", .stepStarted(StepStart(name: "x", action: "run"))),
            ("x", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array(output.utf8)))),
            ("x", .stepEnded(StepEnd(name: "x", outcome: .passed, duration: .zero))),
            ("y", .stepStarted(StepStart(name: "y", action: "run"))),
        ]
        let text = ReportFixture.text(of: ReportFixture.events(kinds)) { PlainReport(style: .plain, write: $0) }
        #expect(text == "▸ x\n\(shown)\n▸ y\n", "\(text.debugDescription)")
    }

    @Test func aGroupEndsAtTheStartOfALineAfterAColor() {
        let kinds: [(String?, LaneEvent.Kind)] = [
            ("x", .stepStarted(StepStart(name: "x", action: "run"))),
            ("x", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("\u{1B}[31mred\n".utf8)))),
            ("x", .stepEnded(StepEnd(name: "x", outcome: .passed, duration: .zero))),
        ]
        let text = ReportFixture.text(of: ReportFixture.events(kinds)) {
            PlainReport(style: .plain, commands: CIService.github.commands, write: $0)
        }
        #expect(text.hasSuffix("\u{1B}[31mred\n\u{1B}[0m\n::endgroup::\n"), "\(text.debugDescription)")
    }

    /// A run that failed outside any test does not look successful.
    @Test func totalsContainFailuresOutsideAnyTest() {
        let test = TestID(library: .swiftTesting, module: "M", suite: "S", name: "passes()")
        let events = ReportFixture.events([
            ("test", .test(.ended(TestResult(test: test, outcome: .passed, duration: nil)))),
            ("test", .test(.issue(TestIssue(test: nil, text: "late")))),
            (nil, .runEnded(RunEnd(status: 1, duration: .zero))),
        ])
        let text = ReportFixture.text(of: events) { PlainReport(style: .plain, write: $0) }
        #expect(
            text == """
                ✘ late

                Outside any test (1)
                  ✘ late

                ✘ 1 test in 1 suite: 1 passed, 1 failure outside any test
                ✘  failed after 0.000 s

                """)
    }

    /// Records of passed tests are discarded when a log is read, but the tests are counted.
    @Test(arguments: [false, true]) func repetitionsAreCounted(forgetsPassing: Bool) {
        let tests = ["a()", "b()"].map { TestID(library: .swiftTesting, module: "M", suite: "S", name: $0) }
        let ends = tests.flatMap { test in
            (1...20).flatMap { attempt -> [TestEvent] in
                let outcome: TestResult.Outcome = test.name == "b()" && attempt == 18 ? .failed : .passed
                return [
                    .started(test, attempt: attempt, worker: 1),
                    .ended(TestResult(test: test, outcome: outcome, duration: .seconds(1), attempt: attempt)),
                ]
            }
        }
        let events = ReportFixture.events(
            (ends + [.finished]).map { ("test", .test($0)) }
                + [(nil, .runEnded(RunEnd(status: 0, duration: .seconds(1))))])
        var run = RunSummary(passed: forgetsPassing ? .counts : .records)
        for event in events { run.receive(event) }
        #expect(run.counts.passed == 2)
        #expect(run.passes == 39)
        let screen = ReportFixture.text(of: events) { PlainReport(style: .plain, write: $0) }
        #expect(
            screen == """
                ✘ M.S/b() failed after 1.000 s (attempt 18)
                ↻ M.S/b() passed on attempt 19
                ↻ M.S/b() passed on attempt 20
                ✔ M.S                             1.000 s  2 passed (1 flaky)

                Flaky (1)
                  ↻ M.S/b() passed on attempt 20

                Slowest
                  1.000 s  M.S/a()
                  1.000 s  M.S/b()

                ✔ 2 tests in 1 suite: 2 passed (1 flaky, 39 times in total)
                ✔  passed in 1.000 s

                """)
    }

    /// Three suites looked equal.
    @Test(arguments: [true, false]) func longNamesOfSuitesAreWhole(isPlanned: Bool) {
        let tests = ["One", "Two"].map { name in
            TestID(library: .xctest, module: "M", suite: String(repeating: "Long", count: 20) + name, name: "test()")
        }
        var kinds: [TestEvent] = isPlanned ? [.planned(tests.map { TestInfo(id: $0) })] : []
        kinds += tests.map { .ended(TestResult(test: $0, outcome: .passed, duration: .zero)) } + [.finished]
        let text = ReportFixture.text(of: ReportFixture.events(kinds.map { ("test", .test($0)) })) {
            PlainReport(style: .plain, write: $0)
        }
        for test in tests { #expect(text.contains("M.\(test.suite)  "), "\(text)") }
    }

    @Test func blankOutputIsNotShown() throws {
        let test = TestID(library: .swiftTesting, module: "M", suite: "S", name: "aborts()")
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "test", steps: [], startedAt: 0))),
            ("test", .test(.started(test, attempt: 1, worker: 1))), ("test", .test(.output(test, [0x20, 0x0A]))),
            ("test", .test(.output(nil, [0x0D, 0x0A]))),
            ("test", .test(.ended(TestResult(test: test, outcome: .crashed(how: "signal 6"), duration: nil)))),
            (nil, .runEnded(RunEnd(status: 5, duration: .zero))),
        ])
        let plain = ReportFixture.text(of: events) { PlainReport(style: .plain, write: $0) }
        #expect(
            redacted(plain) == """
                ✘ M.S/aborts() crashed: signal 6

                Crashed (1)
                  ✘ M.S/aborts() crashed: signal 6

                ✘ 1 test in 1 suite: 1 crashed
                ✘ test failed with exit status 5 after <time>

                """)
        let page = ReportFixture.text(of: events) { HTMLReport(write: $0) }
        #expect(page.contains("aborts()") && !page.contains(">output<"))
        let document = try XMLDocument(ReportFixture.text(of: events) { JUnitReport(write: $0) })
        #expect(document.all("error").count == 1 && document.all("system-out").isEmpty)
    }

    /// A long build must print its progress in the log of a CI service.
    @Test(arguments: [ReportLevel.quiet, .normal])
    func longBuildsReportProgress(level: ReportLevel) {
        let kinds: [(second: Int, kind: LaneEvent.Kind)] =
            [(0, .stepStarted(StepStart(name: "test", action: "test")))]
            + [20, 59, 61, 100, 120, 121, 4000].map { second in
                (second, .buildProgress(BuildProgress(finished: second, total: 5000, text: "Compiling A a.swift")))
            }
        let events = kinds.enumerated().map { index, event in
            LaneEvent(number: index + 1, offset: .seconds(event.second), step: StepID("test"), kind: event.kind)
        }
        let text = ReportFixture.text(of: events) { PlainReport(style: .plain, level: level, write: $0) }
        let lines = """
            ▸ test
            … 61/5,000  Compiling A a.swift  after 1 m 01 s
            … 121/5,000  Compiling A a.swift  after 2 m 01 s
            … 4,000/5,000  Compiling A a.swift  after 1 h 06 m

            """
        #expect(text == (level == .quiet ? "" : lines))
    }

    /// Reports that show only errors would otherwise lack the hint.
    @Test func anErrorOfABuildHasItsAdvice() {
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "test", steps: [], startedAt: 0))),
            ("test/1", .stepStarted(StepStart(name: "test", action: "test"))),
            ("test/1", .buildDiagnostic(BuildDiagnostic(.error, "broken"))),
            ("test/1", .buildDiagnostic(BuildDiagnostic(.note, "moved\nhint: rm -rf .build"))),
            (
                "test/1",
                .buildDiagnostic(BuildDiagnostic(.note, "elsewhere", at: SourceLocation(path: "a.swift", line: 1)))
            ), (nil, .runEnded(RunEnd(status: 3, duration: .zero))),
        ])
        for text in [
            ReportFixture.text(of: events) { PlainReport(style: .plain, level: .quiet, write: $0) },
            ReportFixture.text(of: events) { AgentReport(write: $0) },
        ] { #expect(text.contains("note: moved\n") && !text.contains("elsewhere"), "\(text)") }
    }
}
