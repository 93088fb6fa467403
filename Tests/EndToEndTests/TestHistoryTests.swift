import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The results of tests are recorded")
    struct TestHistoryTests {
        @Test("Runs are recorded and imported, and shown as a table and a page")
        func history() async throws {
            let package = try MiniPackage(keepingBuildsAs: "history")
            let lane = BuiltTool.lane
            let empty = try await lane.run(["history", "tests"], in: package.path)
            #expect(empty.report.status == 4 && empty.errorText.hasPrefix("error: no test run is recorded\nhint: "))

            #expect(try await lane.run(["test"], in: package.path, environment: buildEnvironment()).report.status == 0)
            let once = try await lane.run(["history", "tests"], in: package.path)
            #expect(once.text.hasPrefix("2 tests in 1 run since "), "\(once.text)\(once.errorText)")

            for number in 1...3 {
                let day = 1_795_255_200 + number * 86_400
                let test = #""test":{"library":"xctest","module":"MiniTests","suite":"Upload","name":"testResume"}"#
                let outcome = number == 2 ? "failed" : "passed"
                try package.directory.write(
                    """
                    {"event":"runStarted","number":1,"at":0,"version":1,"lane":"test","startedAt":\(day),"steps":[]}
                    {"event":"testEnded","number":2,"at":1,\(test),"attempt":1,"duration":1,"outcome":"\(outcome)"}
                    {"event":"testsOrigin","number":3,"at":2,"commit":"c0ffee","machine":"linux-x86_64"}
                    {"event":"runEnded","number":4,"at":2,"status":5,"duration":2}

                    """, to: "ci/\(number).jsonl")
            }
            let files = (1...3).map { "ci/\($0).jsonl" }
            let added = try await lane.run(["history", "import"] + files, in: package.path)
            #expect(added.text == "added 3 runs\n", "\(added.errorText)")
            let again = try await lane.run(["history", "import"] + files, in: package.path)
            #expect(again.text == "added 0 runs; 3 were in the history already\n")
            let flaky = try await lane.run(["history", "tests", "--flaky"], in: package.path)
            #expect(
                redacted(flaky.text) == """
                    3 tests in 4 runs since <date>

                    flaky (1)
                        rate  95% interval  failed  since              test
                      33.3 %    6.1–79.2 %     1/3  c0ffee <date>  MiniTests.Upload/testResume

                    """)

            let page = try await lane.run(["history", "tests", "--html", "out/tests.html"], in: package.path)
            #expect(page.report.status == 64)
            #expect(page.errorText == "error: '--html' goes with 'lane history show'\n")
            let wrong = try await lane.run(["history", "import", "Package.swift", "none.jsonl"], in: package.path)
            #expect(wrong.report.status == 66)
            #expect(
                redacted(wrong.errorText) == """
                    error: 'Package.swift' is not a history file or an event log
                    error: could not read '<tmp>/builds/history/none.jsonl': No such file or directory

                    """)
        }

        @Test("An expired quarantine is an error before anything is built")
        func expired() async throws {
            let package = try MiniPackage(lanes: [
                "old": """
                steps:
                  - test:
                      quarantine:
                        - { test: A, reason: issue 1, until: 2020-01-31 }
                        - { test: B, reason: issue 2, until: 2999-12-31 }
                        - { test: C, reason: issue 3, until: 2020-02-29 }
                """,
                "wrong": "steps: [{ test: { quarantine: [{ test: A, reason: later, until: 2026-02-30 }] } }]",
            ])
            let old = try await BuiltTool.lane.run(["old"], in: package.path)
            #expect(old.report.status == 65)
            #expect(
                old.text.hasPrefix(
                    """
                    ▸ test
                    ✘ test: the quarantine of 'A' ended on 2020-01-31 (issue 1) (exit status 65)
                        the quarantine of 'C' ended on 2020-02-29 (issue 3)
                        hint: fix the test and remove the entry, or set a later 'until'


                    """), "\(old.text)")
            let check = try await BuiltTool.lane.run(["wrong"], in: package.path)
            #expect(check.report.status == 65)
            #expect(
                check.errorText == """
                    Lanes/wrong.yml:1:65: error: expected a date such as 2026-12-31, found the string '2026-02-30'
                        steps: [{ test: { quarantine: [{ test: A, reason: later, until: 2026-02-30 }] } }]
                                                                                        ^~~~~~~~~~

                    """)
        }
    }
}
