import Events
import Text

extension HTMLPage {
    var steps: String {
        guard run.steps.count > 1 else { return "" }
        let table = StepTable(wording: Wording(style: .plain))
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

    /// Writes the table of all tests, each suite at once.
    func writeAllTests(_ write: (String) -> Void) {
        let count = run.tests.reduce(0) { count, part in
            let passed = part.summary.passedTests
            return count + part.summary.tests.count + passed.suites.reduce(0) { $0 + passed.count(of: $1) }
        }
        guard count > 0 else { return }
        write(
            """
            \(HTML.heading("All tests", count))<input type="search" placeholder="Search: name, failed, skipped …" hidden>
            <table id="all"><thead><tr><th class="number">time</th><th>outcome</th><th>test</th></tr></thead>
            <tbody>

            """)
        for (_, tests) in run.tests {
            guard tests.passedTests.suites.isEmpty else {
                writeSuites(of: tests, write)
                continue
            }
            for test in tests.tests { write(row(test)) }
        }
        write("</tbody></table>\n")
    }

    /// Writes the tests of a summary that has discarded records.
    private func writeSuites(of tests: TestSummary, _ write: (String) -> Void) {
        let records = Dictionary(grouping: tests.tests, by: { SuiteID($0.id) })
        for suite in Set(records.keys).union(tests.passedTests.suites).sorted() {
            for (_, test) in SuiteCases(suite, records[suite] ?? [], tests.passedTests).cases {
                switch test {
                case .record(let record): write(row(record))
                case .passed(let test):
                    let id = TestID(library: suite.library, module: suite.module, suite: suite.suite, name: test.name)
                    write(row(id, .passed, "passed", test.duration, test.displayName ?? ""))
                }
            }
        }
    }

    private func row(_ test: TestRecord) -> String {
        let kind = HTML.kind(test)
        let word = kind == .flaky ? "flaky" : test.outcome?.word ?? "running"
        var remark = test.info.displayName ?? ""
        if case .skipped(let reason?) = test.outcome { remark += (remark.isEmpty ? "" : " ") + reason }
        return row(test.id, kind, word, test.duration, remark)
    }

    private func row(_ id: TestID, _ kind: HTML.Kind, _ word: String, _ duration: Duration?, _ remark: String) -> String
    {
        """
        <tr><td class="number">\(duration?.text ?? "-")</td><td class="\(kind.rawValue)">\(word)</td>\
        <td><code>\(HTML.escaped(id.description))</code> <span class="faint">\(HTML.escaped(remark))</span></td></tr>

        """
    }
}
