import Events
import Reports
import TestSupport
import Testing
import Text

/// Tests that one failure of many tests, or one reason for many skipped steps, is reported once.
@Suite struct FailureGroupTests {
    /// Returns events of tests that crash at one location, except the last one.
    private func crashing(_ count: Int, areListed: Bool = true) -> [LaneEvent] {
        func test(_ number: Int) -> TestID { TestID(library: .xctest, module: "M", suite: "S", name: "test\(number)") }
        let planned = [StepSummary(id: StepID("all/test"), name: "test")]
        var kinds: [(String?, LaneEvent.Kind)] = [
            (nil, .runStarted(RunStart(lane: "all", steps: planned, startedAt: 0))),
            (
                "all/test",
                .stepStarted(
                    StepStart(
                        name: "test", action: "test", repeatCommand: "lane all",
                        repeatFailedCommand: "lane all --failed"))
            ),
        ]
        if areListed { kinds.append(("all/test", .test(.planned((1...count).map { TestInfo(id: test($0)) })))) }
        for number in 1...count {
            let test = test(number)
            let place = SourceLocation(path: number == count ? "B.swift" : "A.swift", line: 3)
            kinds += [
                ("all/test", .test(.started(test, attempt: 1, worker: 1))),
                ("all/test", .test(.output(test, Array("printed\n".utf8)))),
                (
                    "all/test",
                    .test(
                        .issue(TestIssue(test: test, text: "Illegal instruction at 0x7f\(number)\n  in f()", at: place))
                    )
                ),
                (
                    "all/test",
                    .test(.ended(TestResult(test: test, outcome: .crashed(how: "signal 4"), duration: .zero)))
                ),
            ]
        }
        kinds += [
            ("all/test", .test(.finished)),
            (
                "all/test",
                .stepEnded(
                    StepEnd(name: "test", outcome: .failed(status: 5, message: "bad"), duration: .seconds(1)))
            ), (nil, .runEnded(RunEnd(status: 5, duration: .seconds(1)))),
        ]
        return ReportFixture.events(kinds)
    }

    @Test func equalFailuresAreReportedOnce() {
        let text = ReportFixture.text(of: crashing(4)) { PlainReport(style: .plain, write: $0) }
        expectGolden(text, "same-crashes.txt")
        let whole = ReportFixture.text(of: crashing(4)) { PlainReport(style: .plain, level: .verbose, write: $0) }
        // The first part of each test and the last part of the two groups.
        #expect(whole.split(separator: "Illegal instruction").count == 1 + 4 + 2)
    }

    /// The names are in the lines of the tests, too.
    @Test func largeGroupsAreShort() {
        let text = ReportFixture.text(of: crashing(172)) { PlainReport(style: .plain, write: $0) }
        let lines = text.split(separator: "\n")
        #expect(lines.count { $0.contains(", same as M.S/test1") } == 170)
        #expect(lines.contains("      and 170 more tests with the same failure:"))
        #expect(lines.contains("        and 160 more, listed above"))
        #expect(lines.count < 210, "\(text)")
    }

    /// For example, those of a test bundle with its own main: it refuses options that select tests.
    @Test func unlistedTestsAreNotRepeatedAlone() {
        let text = ReportFixture.text(of: crashing(4, areListed: false)) { PlainReport(style: .plain, write: $0) }
        #expect(
            text.hasSuffix("\n✘ all failed with exit status 5 after 1.000 s\n  run test again: lane all\n"), "\(text)")
    }

    @Test(arguments: [1, 10, 11])
    func commandsForOtherMachinesNameTheTests(_ count: Int) {
        let start = StepStart(
            name: "test", action: "test", repeatCommand: "lane all --shard 1/2", repeatTestsCommand: "lane all")
        var kinds: [(String?, LaneEvent.Kind)] = [("all/test", .stepStarted(start)), ("all/test", .test(.planned([])))]
        let outcomes: [TestResult.Outcome] = [
            .failed, .crashed(how: "signal 4"), .timedOut(after: .seconds(1)), .notRun(reason: "x"),
        ]
        func test(_ name: String) -> TestID { TestID(library: .swiftTesting, module: "M", suite: "S", name: name) }
        func end(_ name: String, _ outcome: TestResult.Outcome, step: String = "all/test") {
            kinds.append((step, .test(.ended(TestResult(test: test(name), outcome: outcome, duration: .zero)))))
        }
        for number in 1...count {
            end("passes \(number)()", .passed)
            end("it's \(number)()", outcomes[number % outcomes.count])
            end("other \(number)()", .failed, step: "all/other")
        }
        end("is skipped()", .skipped(reason: nil))
        let outcome = StepEnd.Outcome.failed(status: 5, message: "bad")
        kinds += [
            ("all/test", .test(.finished)),
            ("all/test", .stepEnded(StepEnd(name: "test", outcome: outcome, duration: .zero))),
            (nil, .runEnded(RunEnd(status: 5, duration: .zero))),
        ]
        let text = ReportFixture.text(of: ReportFixture.events(kinds)) { PlainReport(style: .plain, write: $0) }
        let names = (1...count).sorted { "\($0)(" < "\($1)(" }.map { #" --filter 'M.S/it'\''s \#($0)()'"# }.joined()
        let advice =
            count > 10 ? "run test again: lane all --shard 1/2" : "run the failed tests again: lane all\(names)"
        #expect(text.hasSuffix("\n  \(advice)\n"), "\(text)")
    }

    @Test func ignoredTimeoutsAreMarked() {
        let end = StepEnd(name: "a", outcome: .timedOut(after: .seconds(1)), duration: .seconds(1), isForgiven: true)
        let text = ReportFixture.text(of: ReportFixture.events([("a", .stepEnded(end))])) {
            PlainReport(style: .plain, write: $0)
        }
        #expect(
            text == """
                ✘ a timed out after 1.000 s (forgiven)

                """)
    }

    @Test(arguments: [(5, 6), (6, 2)])
    func stepsSkippedForOneReasonShareARow(count: Int, rows: Int) {
        let names = ["bad"] + (1...count).map { "step \($0)" }
        let planned = names.map { StepSummary(id: StepID($0), name: $0) }
        var kinds: [(String?, LaneEvent.Kind)] = [
            (nil, .runStarted(RunStart(lane: "all", steps: planned, startedAt: 0)))
        ]
        for name in names {
            let outcome: StepEnd.Outcome =
                name == "bad" ? .failed(status: 1, message: "x") : .skipped(reason: "'bad' failed")
            kinds.append((name, .stepEnded(StepEnd(name: name, outcome: outcome, duration: .zero))))
        }
        kinds.append((nil, .runEnded(RunEnd(status: 1, duration: .seconds(1)))))
        let events = ReportFixture.events(kinds)
        func table(_ level: ReportLevel) -> [Substring] {
            ReportFixture.text(of: events) { PlainReport(style: .plain, level: level, write: $0) }
                .split(separator: "\n").filter { $0.hasPrefix("  ") }
        }
        #expect(table(.normal).count == rows)
        #expect(table(.normal).last?.hasSuffix("skipped: 'bad' failed") == true)
        #expect(rows > 2 || table(.normal)[1].hasPrefix("  ○ 6 steps "))
        #expect(table(.verbose).count == 1 + count)
    }
}
