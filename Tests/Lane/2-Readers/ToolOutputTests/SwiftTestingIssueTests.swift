import Events
import Testing
import ToolOutput

/// Tests of issues in the console output of Swift Testing with several lines or without a test.
@Suite struct SwiftTestingIssueTests {
    private func read(_ lines: [String]) -> ReadLog {
        ReadLog(
            Array((["◇ Test run started.", "◇ Test f(s:) started."] + lines).joined(separator: "\n").utf8 + [0x0A]))
    }

    /// The value of an argument is not escaped.
    @Test(arguments: [#"new\#nline""#, #"new: a\#n\#n at the end: \#n""#]) func argumentsMayHoldLineBreaks(
        value: String
    ) {
        let log = read([
            #"✘ Test f(s:) recorded an issue with 1 argument s → "\#(value) at A.swift:4:3: Expectation failed: s.isEmpty"#,
            "↳ no text", #"✘ Test f(s:) with 1 test case failed after 0.001 seconds with 1 issue."#,
        ])
        #expect(log.issues.map(\.argument) == ["s → \"\(value)"])
        #expect(log.issues.map(\.text) == ["Expectation failed: s.isEmpty\nno text"])
        #expect(log.issues.first?.location?.line == 4 && log.issues.first?.location?.column == 3)
        #expect(!log.text.contains("output"))
    }

    @Test func issuesMayBeOutsideAnyTest() {
        let log = read([
            "✔ Test f(s:) passed after 0.001 seconds.",
            "✘ Test «unknown» recorded an issue at A.swift:5:9: Issue recorded", "↳ late",
        ])
        #expect(log.issues == [TestIssue(test: nil, text: "Issue recorded\nlate", at: log.issues.first?.location)])
        #expect(log.issues.first?.location?.line == 5)
        #expect(log.verdict.isFailure && log.verdict.failed == 0)
    }

    @Test func valuesMayContainLineBreaks() {
        let log = read([
            #"✘ Test f(s:) recorded an issue at A.swift:4:20: Expectation failed: ("a\nb" → "a"#,
            #"  b") == (String("a\nc") → "a"#, #"c")"#, "a print", "↳ a comment",
            #"✘ Test f(s:) failed after 0.001 seconds with 1 issue."#,
        ])
        let text = "Expectation failed: (\"a\\nb\" → \"a\n  b\") == (String(\"a\\nc\") → \"a\nc\")"
        #expect(log.issues.map(\.text) == [text])
        #expect(
            log.text == """
                started f(s:)
                failure f(s:) at A.swift:4:20 "Expectation failed: (\\"a\\\\nb\\" → \\"a\\n  b\\") == (String(\\"a\\\\nc\\") → \\"a\\nc\\")"
                output - "a print\\n"
                ended f(s:) failed 0.001 seconds
                failure - "the log ends before the result"
                finished
                --
                passed 0, failed 1, skipped 0
                crashed 0, not run 0, unnamed 0, missing 0
                build errors 0, warnings 0
                failure true, nothing ran false

                """)
    }

    /// Without a location after them, the lines after an issue are not part of it.
    @Test func outputAfterAnIssueIsNotPartOfIt() {
        let log = read([
            #"✘ Test f(s:) recorded an issue with 1 argument s → "new"#, "line", #"↳ no text"#,
            #"✘ Test f(s:) recorded an issue with 1 argument s → "a": Boom"#, "a print",
            #"✘ Test f(s:) with 2 test cases failed after 0.001 seconds with 2 issues."#,
        ])
        #expect(log.issues.map(\.argument) == [#"s → "new"#, #"s → "a""#])
        #expect(log.issues.map(\.text) == ["\nno text", "Boom"])
        #expect(
            log.text == #"""
                started f(s:)
                failure f(s:) with "s → \"new" "\nno text"
                output - "line\n"
                failure f(s:) with "s → \"a\"" "Boom"
                output - "a print\n"
                ended f(s:) failed 0.001 seconds
                failure - "the log ends before the result"
                finished
                --
                passed 0, failed 1, skipped 0
                crashed 0, not run 0, unnamed 0, missing 0
                build errors 0, warnings 0
                failure true, nothing ran false

                """#)
    }

    @Test func errorsMayHaveSeveralLines() {
        let log = read([
            "✘ Test f(s:) recorded an issue at T.swift:5:4: Caught error: first line", "second line", "", "fourth",
            "↳ with comment", "  more", "✘ Test f(s:) failed after 0.001 seconds with 1 issue.",
        ])
        #expect(log.issues.map(\.text) == ["Caught error: first line\nsecond line\n\nfourth\nwith comment\nmore"])
    }

    @Test func valuesMayHaveSeveralLines() {
        let log = read([
            "✘ Test f(s:) recorded an issue at T.swift:8:26: Expectation failed: (V(n: 1) → V {", "  n: 1",
            "}) == (V(n: 2) → V {", "  n: 2", "})", "a print",
            "✘ Test f(s:) failed after 0.001 seconds with 1 issue.",
        ])
        #expect(
            log.issues.map(\.text) == [
                "Expectation failed: (V(n: 1) → V {\n  n: 1\n}) == (V(n: 2) → V {\n  n: 2\n})"
            ])
        #expect(log.text.contains("output - \"a print\\n\""))
    }

    @Test(arguments: ["passed", "failed"]) func displayNamesMayHaveSeveralLines(outcome: String) {
        let log = read([
            "◇ Test \"display", "with newline\" started.",
            "✘ Test \"display", "with newline\" \(outcome) after 0.001 seconds.",
            "➜ Test off() skipped: \"one", "two\"", "✔ Test f(s:) passed after 0.001 seconds.",
            "✔ Test run with 3 tests in 0 suites \(outcome) after 0.002 seconds.",
        ])
        #expect(log.ended.map(\.test.name) == ["display with newline", "off()", "f(s:)"])
        #expect(
            log.ended.map(\.outcome) == [outcome == "passed" ? .passed : .failed, .skipped(reason: "one two"), .passed])
        #expect(log.verdict.isFailure == (outcome == "failed"))
    }

    /// A line that only looks like the start of a sentence is output.
    @Test func linesThatAreNoSentenceAreOutput() {
        let log = read([
            "✔ Test \"quoted", "next", "✔ Test f(s:) passed after 0.001 seconds.",
            "✔ Test run with 1 test in 0 suites passed after 0.002 seconds.",
        ])
        #expect(log.text.contains("output - \"✔ Test \\\"quoted\\nnext\\n\""))
        #expect(!log.verdict.isFailure)
    }

    @Test(arguments: ["ScopedSuite", "\"Display name\""]) func issuesOfSuitesAreReported(suite: String) {
        let log = read([
            "✔ Test f(s:) passed after 0.001 seconds.",
            "✘ Suite \(suite) recorded an issue at T.swift:42:2: Caught error: Boom()", "↳ comment",
            "⚠︎ Suite \(suite) recorded a warning at T.swift:8:164: Issue recorded",
            "━ Suite \(suite) recorded a known issue at T.swift:9:1: Issue recorded",
            "✘ Suite \(suite) failed after 0.001 seconds with 1 issue.",
            "✘ Test run with 1 test in 1 suite failed after 0.001 seconds with 1 issue.",
        ])
        let name = suite.filter { $0 != "\"" }
        #expect(log.issues.map(\.severity) == [.failure, .warning, .known])
        #expect(log.issues.first?.text == "Caught error: Boom()\ncomment\nin the suite \(name)")
        #expect(log.issues.map { $0.location?.line } == [42, 8, 9])
        #expect(log.issues.allSatisfy { $0.test == nil })
    }

    /// The symbols of Windows, of which one is in ASCII.
    @Test func symbolsOfWindowsAreRead() {
        let log = ReadLog(
            Array(
                """
                ◊ Test run started.
                → Testing Library Version: 6.3.1
                ◊ Test known() started.
                ◊ Test plain() started.
                - Test known() recorded a known issue at Demo.swift:4:40: Expectation failed: 1 == 2
                → bug 12
                - Test known() passed after 0.004 seconds with 1 known issue.
                print√ Test plain() passed after 0.004 seconds.
                - Test run with 2 tests in 0 suites passed after 0.011 seconds with 1 known issue.

                """.utf8))
        #expect(log.ended.map(\.outcome) == [.passed, .passed])
        #expect(log.issues.map(\.text) == ["Expectation failed: 1 == 2\nbug 12"])
        #expect(!log.verdict.isFailure)
    }
}
