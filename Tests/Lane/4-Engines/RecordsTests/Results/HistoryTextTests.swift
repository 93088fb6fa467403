import Events
import TestSupport
import Testing
import Text

@testable import Records

@Suite struct HistoryTextTests {
    /// Forty runs with a flaky and a broken test.
    private let history: HistoryAssessment = {
        let names = ["steady()", "flaky()", "broken()"]
        let runs = (0..<40).map { run in
            TestRunResults(
                startedAt: 1_790_000_000 + Double(run) * 43_200,
                origin: TestOrigin(
                    commit: String(repeating: "\(run % 10)", count: 12) + "\(run)", machine: "linux-x86_64"),
                results: names.enumerated().flatMap { number, name in
                    let test = TestID(library: .swiftTesting, module: "ShapeTests", suite: "Suite", name: name)
                    let fails =
                        switch name {
                        case "flaky()": run % 9 == 4
                        case "broken()": run >= 36
                        default: false
                        }
                    let time = 120_000 + run * 10
                    let result = AttemptResult(test: test, outcome: fails ? .failed : .passed, microseconds: time)
                    let retry = AttemptResult(test: test, outcome: .passed, attempt: 2, microseconds: time)
                    return name == "flaky()" && fails ? [result, retry] : [result]
                })
        }
        return HistoryAssessment(runs)
    }()

    @Test func tables() {
        let text = HistoryText(history, style: .plain)
        expectGolden(
            text.text([.flaky, .broken]) + "---\n" + text.text([.flaky]), "history.txt")
    }

    @Test func nothingToReport() {
        let runs = [
            TestRunResults(startedAt: 1_790_000_000, results: [AttemptResult(test: test(1), outcome: .passed)])
        ]
        let text = HistoryText(HistoryAssessment(runs), style: .plain)
        #expect(text.text([.flaky]) == "1 test in 1 run since 2026-09-21\n\nno test is flaky\n")
    }
}
