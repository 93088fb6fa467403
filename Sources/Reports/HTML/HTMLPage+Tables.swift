import Diagnostics
import LaneEvents

extension HTMLPage {
    /// The timeline of all attempts, by worker.
    var timeline: String {
        var timeline = HTMLTimeline()
        for (step, tests) in run.tests {
            var workers: [Int: [HTMLTimeline.Bar]] = [:]
            for test in tests.tests {
                for attempt in test.attempts {
                    guard let worker = attempt.worker, let bar = bar(test, attempt) else { continue }
                    workers[worker, default: []].append(bar)
                }
            }
            let name = run.tests.count > 1 ? run.step(step)?.name ?? "" : ""
            for (worker, bars) in workers.sorted(by: { $0.key < $1.key }) {
                let number = MergedWorkers.name(worker)
                timeline.add(name.isEmpty ? number : "\(name) \(number)", bars)
            }
        }
        guard !timeline.isEmpty else { return "" }
        return HTML.heading("Timeline") + "<div class=\"chart\">\n\(timeline.svg())</div>\n"
    }

    private func bar(_ test: TestRecord, _ attempt: TestRecord.Attempt) -> HTMLTimeline.Bar? {
        guard let start = attempt.startedAt?.seconds, let duration = attempt.duration else { return nil }
        let again = attempt.number > 1 ? ", attempt \(attempt.number)" : ""
        return HTMLTimeline.Bar(
            start: start, end: start + duration.seconds, kind: HTML.kind(test, attempt),
            title: "\(test.id)\n\(attempt.outcome?.word ?? "running"), \(duration.text)\(again)")
    }

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

    var allTests: String {
        let tests = run.tests { _ in true }
        guard !tests.isEmpty else { return "" }
        var rows = ""
        for (_, test) in tests {
            let kind = HTML.kind(test)
            let word = kind == "flaky" ? "flaky" : test.outcome?.word ?? "running"
            var remark = test.info.displayName ?? ""
            if case .skipped(let reason?) = test.outcome { remark += (remark.isEmpty ? "" : " ") + reason }
            rows += """
                <tr><td class="number">\(test.duration?.text ?? "-")</td><td class="\(kind)">\(word)</td>\
                <td><code>\(HTML.escaped(test.id.description))</code> <span class="faint">\(HTML.escaped(remark))</span></td></tr>

                """
        }
        return """
            \(HTML.heading("All tests", tests.count))<input type="search" placeholder="Search: name, failed, skipped …" hidden>
            <table id="all"><thead><tr><th class="number">time</th><th>outcome</th><th>test</th></tr></thead>
            <tbody>
            \(rows)</tbody></table>

            """
    }
}
