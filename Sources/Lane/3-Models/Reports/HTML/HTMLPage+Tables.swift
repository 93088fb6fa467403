import Events
import Text

extension HTMLPage {
    var steps: String {
        guard run.steps.count > 1 else { return "" }
        let table = StepTable(results: ResultText(style: .plain))
        let rows = run.steps.map { step in
            let (symbol, remark) = table.status(of: step)
            let kind =
                switch step.end?.outcome {
                case .passed, .upToDate: "passed"
                case .failed, .timedOut: "failed"
                case .skipped, .cancelled, nil: "skipped"
                }
            return """
                <tr><td class="number">\(table.time(of: step))</td><td><span class="\(kind)">\(symbol)</span> \
                \(HTML.escaped(step.name)) <span class="faint">\(HTML.escaped(remark))</span></td>\
                <td><code class="faint">\(HTML.escaped(step.start?.command ?? ""))</code></td></tr>

                """
        }
        return HTML.heading("Steps") + "<table><tbody>\n\(rows.joined())</tbody></table>\n"
    }

    var artifacts: String {
        guard !run.artifacts.isEmpty else { return "" }
        let rows = run.artifacts.map { artifact in
            """
            <tr><td class="number">\(sizeText(artifact.size))</td><td>\(HTML.escaped(artifact.path))</td>\
            <td><code class="faint">\(artifact.sha256 ?? "")</code></td></tr>

            """
        }
        return HTML.heading("Artifacts") + "<table><tbody>\n\(rows.joined())</tbody></table>\n"
    }

    /// Writes all tests by suite. Those of a suite with failures are open.
    func writeAllTests(_ write: (String) -> Void) {
        let count = run.tests.reduce(0) { count, part in
            let passed = part.summary.passedTests
            return count + part.summary.tests.count + passed.suites.reduce(0) { $0 + passed.count(of: $1) }
        }
        guard count > 0 else { return }
        write(HTML.heading("All tests", count) + filters + "<div id=\"all\">\n")
        for (step, tests) in run.tests { writeSuites(of: tests, in: step, write) }
        write("</div>\n")
    }

    /// The search field and the filters, which need a script.
    private var filters: String {
        let kinds = ["failed", "flaky", "slow", "skipped", "passed"]
        let buttons = kinds.map { "<button type=\"button\" data-kind=\"\($0)\" aria-pressed=\"false\">\($0)</button>" }
        return """
            <div id="filters" hidden><input type="search" placeholder="Search tests" aria-label="Search tests">\(buttons.joined())</div>

            """
    }

    /// Writes the suites of a step. The records of passed tests may be discarded.
    private func writeSuites(of tests: TestSummary, in step: StepID?, _ write: (String) -> Void) {
        let command = run.step(step)?.start?.repeatTestsCommand.map { " data-command=\"\(HTML.escaped($0))\"" } ?? ""
        let slow = tests.slowest(RunRecap.slowestCount, atLeast: RunRecap.slowEnough).last?.duration
        for members in tests.suiteCases {
            let suite = members.suite
            let tally = tests.suites[suite] ?? SuiteTally()
            let kind = tally.counts.unsuccessful > 0 ? "failed" : tally.counts.flaky > 0 ? "flaky" : "passed"
            write(
                """
                <details class="suite"\(tally.counts.unsuccessful > 0 ? " open" : "")\(command) data-suite="\(HTML.escaped(prefix(of: suite)))">\
                <summary><code class="\(kind)">\(HTML.name(suite.title))</code> \
                <span class="faint">\(ResultText(style: .plain).tally(tally.counts))</span>\
                <span class="place">\(tally.duration?.text ?? "")</span></summary><table><tbody>

                """)
            for test in members.cases {
                switch test {
                case .record(let record): write(row(record, slow: slow))
                case .passed(let test):
                    write(row(test.name, .passed, "passed", test.duration, test.displayName ?? "", slow: slow))
                }
            }
            write("</tbody></table></details>\n")
        }
    }

    /// Returns the start of the names of a suite's tests.
    private func prefix(of suite: SuiteID) -> String {
        let id = TestID(library: suite.library, module: suite.module, suite: suite.suite, name: "x")
        return String(id.description.dropLast())
    }

    private func row(_ test: TestRecord, slow: Duration?) -> String {
        let kind = HTML.kind(test)
        let word = kind == .flaky ? "flaky" : test.outcome?.word ?? "running"
        var remark = test.info.title ?? ""
        if case .skipped(let reason?) = test.outcome { remark += (remark.isEmpty ? "" : " ") + reason }
        return row(test.id.name, kind, word, test.duration, remark, slow: slow)
    }

    private func row(
        _ name: String, _ kind: HTML.Kind, _ word: String, _ duration: Duration?, _ remark: String, slow: Duration?
    ) -> String {
        let isSlow = slow.map { limit in duration.map { $0 >= limit } ?? false } ?? false
        let text = remark.isEmpty ? "" : " <span class=\"faint\">\(HTML.escaped(remark))</span>"
        return """
            <tr class="\(isSlow ? "slow " : "")\(kind.rawValue)"><td>\(duration?.text ?? "-")</td><td>\(word)</td>\
            <td><code>\(HTML.name(name))</code>\(text)</td></tr>

            """
    }
}
