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
                finished
                --
                passed 0, failed 1, skipped 0
                crashed 0, not run 0, unnamed 0, missing 0
                build errors 0, warnings 0
                failure true, nothing ran false

                """#)
    }
}
