import Events
import TestSupport
import Testing
import Text

@testable import Records

@Suite struct HistoryTextTests {
    /// Forty runs with a flaky, a broken and a slower test, two tests that fail together, and a name with markup.
    private let history: HistoryAssessment = {
        let names = ["steady()", "flaky()", "broken()", "slower()", "first()", "second()", "<b>&(\"\":)"]
        let runs = (0..<40).map { run in
            RecordedRun(
                startedAt: 1_790_000_000 + Double(run) * 43_200,
                commit: String(repeating: "\(run % 10)", count: 12) + "\(run)",
                machine: "linux-x86_64",
                results: names.enumerated().flatMap { number, name in
                    let test = TestID(library: .swiftTesting, module: "ShapeTests", suite: "Suite", name: name)
                    let fails =
                        switch name {
                        case "flaky()": run % 9 == 4
                        case "broken()": run >= 36
                        case "first()", "second()": [5, 15, 25, 35].contains(run)
                        default: false
                        }
                    let time = name == "slower()" && run >= 24 ? 340_000 : 120_000 + run * 10
                    let result = RecordedResult(test: test, outcome: fails ? .failed : .passed, microseconds: time)
                    let retry = RecordedResult(test: test, outcome: .passed, attempt: 2, microseconds: time)
                    return name == "flaky()" && fails ? [result, retry] : [result]
                })
        }
        return HistoryAssessment(runs)
    }()

    @Test func tables() {
        let text = HistoryText(history, style: .plain)
        expectGolden(
            text.text([.flaky, .broken, .slower, .groups]) + "---\n" + text.text([.slower]), "history.txt")
    }

    @Test func page() {
        let html = HistoryPage(history).html
        #expect(html.contains("&lt;b&gt;&amp;(&quot;&quot;:)"))
        #expect(!html.contains("<b>&"))
        expectGolden(html, "history.html")
    }

    @Test func nothingToReport() {
        let runs = [
            RecordedRun(startedAt: 1_790_000_000, results: [RecordedResult(test: test(1), outcome: .passed)])
        ]
        let text = HistoryText(HistoryAssessment(runs), style: .plain)
        #expect(text.text([.flaky]) == "1 test in 1 run since 2026-09-21\n\nno test is flaky\n")
    }
}
