import Events
import Reports
import TestSupport
import Testing
import Text

/// Tests of reports with large, unusual and missing content.
@Suite struct ReportLimitTests {
    private func failing(_ count: Int, text: String = "no") -> [LaneEvent] {
        var kinds: [(String?, LaneEvent.Kind)] = [(nil, .runStarted(RunStart(lane: "test", steps: [], startedAt: 0)))]
        for number in 0..<count {
            let test = TestID(library: .xctest, module: "M", suite: "S", name: "test\(number)")
            let place = SourceLocation(path: "Tests/S.swift", line: number + 1)
            kinds.append((nil, .test(.started(test, attempt: 1, worker: 1))))
            kinds.append((nil, .test(.issue(TestIssue(test: test, text: text, at: place)))))
            kinds.append((nil, .test(.ended(TestResult(test: test, outcome: .failed, duration: .zero)))))
        }
        kinds.append((nil, .test(.finished)))
        kinds.append((nil, .runEnded(RunEnd(status: 1, duration: .seconds(1)))))
        return ReportFixture.events(kinds)
    }

    /// Returns events of a step that ran and of others that were up to date.
    private func upToDate(_ count: Int) -> [LaneEvent] {
        let names = ["made"] + (1...count).map { "step \($0)" }
        let planned = names.map { StepSummary(id: StepID($0), name: $0) }
        var kinds: [(String?, LaneEvent.Kind)] = [
            (nil, .runStarted(RunStart(lane: "all", steps: planned, startedAt: 0)))
        ]
        for name in names {
            let outcome = name == "made" ? StepEnd.Outcome.passed : .upToDate
            kinds.append((name, .stepEnded(StepEnd(name: name, outcome: outcome, duration: .seconds(1)))))
        }
        kinds.append((nil, .runEnded(RunEnd(status: 0, duration: .seconds(1)))))
        return ReportFixture.events(kinds)
    }

    private func table(of events: [LaneEvent], _ level: ReportLevel = .normal) -> [Substring] {
        ReportFixture.text(of: events) { PlainReport(style: .plain, level: level, write: $0) }
            .split(separator: "\n").filter { $0.hasPrefix("  ") }
    }

    @Test func upToDateStepsShareARow() {
        #expect(table(of: upToDate(20)).count == 21)
        #expect(table(of: upToDate(1_000)) == ["  ✔ made  1.000 s", "  ✔ 1,000 steps up to date"])
        #expect(table(of: upToDate(21), .verbose).count == 22)
    }

    @Test func longNamesAreTruncatedInTheTable() {
        let names = ["make", String(repeating: "x", count: 300)]
        let planned = names.map { StepSummary(id: StepID($0), name: $0) }
        let ends = names.map { name -> (String?, LaneEvent.Kind) in
            (name, .stepEnded(StepEnd(name: name, outcome: .passed, duration: .seconds(1))))
        }
        let events = ReportFixture.events(
            [(nil, .runStarted(RunStart(lane: "all", steps: planned, startedAt: 0)))] + ends
                + [(nil, .runEnded(RunEnd(status: 0, duration: .seconds(1))))])
        let rows = table(of: events)
        #expect(rows.count == 2)
        #expect(rows.allSatisfy { $0.count == 4 + 60 + 2 + 7 }, "\(rows)")
        #expect(rows.last == "  ✔ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…  1.000 s")
    }

    /// The advice names the log of a step only if the step has printed something.
    @Test(arguments: [true, false])
    func longNamesAreTruncatedInTheAdvice(prints: Bool) {
        let name = String(repeating: "x", count: 300)
        let planned = [StepSummary(id: StepID("all/x"), name: name)]
        let start = StepStart(name: name, action: "run", repeatCommand: "lane all --step all/x", log: "x.log")
        let end = StepEnd(name: name, outcome: .failed(status: 1, message: "x"), duration: .zero)
        var kinds: [(String?, LaneEvent.Kind)] = [
            (nil, .runStarted(RunStart(lane: "all", steps: planned, startedAt: 0))), ("all/x", .stepStarted(start)),
        ]
        if prints { kinds.append(("all/x", .stepOutput(OutputChunk(stream: .standardOutput, bytes: [0x61, 0x0A])))) }
        kinds += [("all/x", .stepEnded(end)), (nil, .runEnded(RunEnd(status: 1, duration: .zero)))]
        let text = ReportFixture.text(of: ReportFixture.events(kinds)) { PlainReport(style: .plain, write: $0) }
        let cut = String(repeating: "x", count: 59) + "…"
        let log = prints ? "  full output of \(cut): x.log\n" : ""
        #expect(text.hasSuffix(" 0.000 s\n\(log)  run \(cut) again: lane all --step all/x\n"), "\(text)")
    }

    /// The command of a test step is omitted if it would only fail again. Programs of `run` steps use the same statuses.
    @Test(arguments: [
        ("test", 1, true), ("test", 3, true), ("test", 4, false), ("test", 64, false), ("test", 66, false),
        ("run", 4, true), ("run", 64, true), ("run", 66, true),
    ])
    func commandsThatFailAgainAreOmitted(action: String, status: Int32, isShown: Bool) {
        let start = StepStart(name: "x", action: action, repeatCommand: "lane all --step all/x")
        let end = StepEnd(name: "x", outcome: .failed(status: status, message: "x"), duration: .zero)
        let planned = [StepSummary(id: StepID("all/x"), name: "x")]
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "all", steps: planned, startedAt: 0))), ("all/x", .stepStarted(start)),
            ("all/x", .stepEnded(end)), (nil, .runEnded(RunEnd(status: status, duration: .zero))),
        ])
        let plain = ReportFixture.text(of: events) { PlainReport(style: .plain, write: $0) }
        #expect(plain.hasSuffix("  run x again: lane all --step all/x\n") == isShown, "\(plain)")
        let agent = ReportFixture.text(of: events) { AgentReport(write: $0) }
        #expect(agent.contains("rerun: lane all --step all/x\n") == isShown, "\(agent)")
    }

    @Test func outputIsNeverMixedInsideALine() {
        func output(_ step: String, _ text: String, _ stream: OutputChunk.Stream) -> (String?, LaneEvent.Kind) {
            (step, .stepOutput(OutputChunk(stream: stream, bytes: Array(text.utf8))))
        }
        let planned = ["a", "b"].map { StepSummary(id: StepID($0), name: $0) }
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "all", steps: planned, startedAt: 0))),
            ("a", .stepStarted(StepStart(name: "a", action: "run"))),
            ("b", .stepStarted(StepStart(name: "b", action: "run"))),
            output("b", "B\n", .standardOutput), output("a", "out", .standardOutput),
            output("a", "err", .standardError), output("a", "more", .standardError),
            ("a", .stepEnded(StepEnd(name: "a", outcome: .passed, duration: .zero))),
            ("b", .stepEnded(StepEnd(name: "b", outcome: .passed, duration: .zero))),
        ])
        let text = ReportFixture.text(of: events) { PlainReport(style: .plain, write: $0) }
        #expect(text.split(separator: "\n").prefix(5) == ["▸ a", "out", "errmore", "▸ b", "B"], "\(text)")
    }

    @Test func gitHubAnnotationsAreLimitedAndCounted() {
        func lines(_ failures: Int) -> [Substring] {
            ReportFixture.text(of: failing(failures)) { AnnotationReport(GitHubCommands(), write: $0) }
                .split(separator: "\n")
        }
        #expect(lines(50).count == 10 && lines(10).count == 10)
        #expect(lines(50).last == "::error::41 more errors; the job summary and the log list all of them")
    }

    @Test func gitHubCommandsAreEscaped() {
        let text = ReportFixture.text(of: failing(1, text: "50%\r\n::warning::x")) {
            AnnotationReport(GitHubCommands(), root: "a,b:c/", write: $0)
        }
        #expect(
            text == "::error file=a%2Cb%3Ac/Tests/S.swift,line=1,title=M.S/test0 failed::50%25%0A::warning::x\n")
    }

    @Test func theSummaryStaysBelowItsLimit() {
        let text = ReportFixture.text(of: failing(400, text: String(repeating: "long ", count: 1000))) {
            MarkdownSummary(write: $0)
        }
        #expect(text.utf8.count < 1_048_576)
        #expect(text.contains("The summary is truncated"))
        #expect(text.contains("400 tests"))
    }

    @Test func aFenceIsLongerThanAnyInTheText() {
        let text = ReportFixture.text(of: failing(1, text: "````\n<b>&")) { MarkdownSummary(write: $0) }
        #expect(
            text == """
                ## ❌ test failed after 1.000 s

                **1 test**: 1 failed

                ### Failed (1)

                <details open><summary><code>M.S/test0 failed</code></summary>

                `````text
                Tests/S.swift:1
                ````
                <b>&
                `````

                </details>


                """)
    }

    @Test func junitContainsEveryTestAndOnlyValidText() throws {
        let odd = "a\u{0}b\u{1B}[31mc\u{FFFE}d\u{B} ]]> \"q\" <&> \u{1F600}"
        let text = ReportFixture.text(of: failing(1000, text: odd)) { JUnitReport(write: $0) }
        let document = try XMLDocument(text)
        #expect(document.all("testcase").count == 1000)
        #expect(document.all("failure").first?.attributes["message"] == "abc\u{FFFD}d ]]> \"q\" <&> \u{1F600}")
    }

    @Test func runsWithoutTestsAreReported() {
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "test", steps: [], startedAt: 0))), (nil, .test(.planned([]))),
            (nil, .test(.finished)), (nil, .runEnded(RunEnd(status: 4, duration: .zero))),
        ])
        #expect(
            ReportFixture.text(of: events) { PlainReport(style: .plain, write: $0) } == """

                ✘ no test ran
                ✘ test failed with exit status 4 after 0.000 s

                """)
        #expect(
            ReportFixture.text(of: events) { MarkdownSummary(write: $0) } == """
                ## ❌ test failed after 0.000 s

                **No test ran.**


                """)
        #expect(ReportFixture.text(of: events) { HTMLReport(write: $0) }.contains("No test ran."))
    }

    @Test(arguments: [
        (LaneEvent.Kind.buildDiagnostic(BuildDiagnostic(.error, "no such module")), "no such module"),
        (.test(.issue(TestIssue(test: nil, text: "died in a set-up"))), "died in a set-up"),
        (.message(Message(.error, "too little is covered")), "too little is covered"),
        (.test(.finished), "no test ran"),
    ])
    func failuresOutsideAnyTestReachEveryService(_ kind: LaneEvent.Kind, _ text: String) throws {
        let events = ReportFixture.events([
            (nil, .runStarted(RunStart(lane: "test", steps: [], startedAt: 0))), (nil, kind),
            (nil, .runEnded(RunEnd(status: 4, duration: .zero))),
        ])
        let document = try XMLDocument(ReportFixture.text(of: events) { JUnitReport(write: $0) })
        #expect(document.all("error").map { $0.attributes["message"] } == [text])
        #expect(document.all("testsuites").first?.attributes["errors"] == "1")
        for commands in CIService.all.compactMap(\.commands) {
            #expect(ReportFixture.text(of: events) { AnnotationReport(commands, write: $0) }.contains(text))
        }
    }

    /// The output of a step that runs alone is passed on. That of a waiting step is truncated in the middle.
    @Test func outputOfAnySizeNeedsLittleMemory() {
        var bytes = 0
        var largest = 0
        let report = PlainReport(style: .plain) { chunk in
            bytes += chunk.count
            largest = max(largest, chunk.count)
        }
        var run = RunSummary()
        let chunk = OutputChunk(
            stream: .standardOutput, bytes: Array(repeating: UInt8(ascii: "x"), count: 65_535) + [0x0A])
        var number = 0
        func send(_ step: String, _ kind: LaneEvent.Kind) {
            number += 1
            let event = LaneEvent(number: number, offset: .zero, step: StepID(step), kind: kind)
            run.receive(event)
            report.receive(event, run)
        }
        send("a", .stepStarted(StepStart(name: "a", action: "run")))
        send("b", .stepStarted(StepStart(name: "b", action: "run")))
        for _ in 0..<800 {
            send("a", .stepOutput(chunk))
            send("b", .stepOutput(chunk))
        }
        #expect(bytes > 800 * 65_536 && bytes < 801 * 65_536)
        send("a", .stepEnded(StepEnd(name: "a", outcome: .passed, duration: .zero)))
        #expect(largest < 1_000_000)
        #expect(bytes < 815 * 65_536)
    }
}
