import Events
import Text

/// The parts of the HTML report in their order. A part without content is empty.
struct HTMLPage {
    let run: RunSummary
    private let wording = Wording(style: .plain)

    init(run: RunSummary) {
        self.run = run
    }

    var head: String {
        let isGood = run.end?.status == 0
        let verdict = isGood ? "passed" : "failed"
        let lane = HTML.escaped(run.lane)
        let start = Instant(secondsSince1970: run.startedAt)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(isGood ? "✔" : "✘") \(lane) \(verdict)</title>
            <style>
            \(HTMLStyle.css)
            </style>
            </head>
            <body>
            <h1><span class="\(verdict)">\(isGood ? "✔" : "✘")</span> \(lane) \(verdict)</h1>
            <p class="faint">\(start.date) \(start.clock) UTC, \
            \(run.end?.duration.text ?? "")</p>

            """
    }

    var totals: String {
        let counts = run.counts
        guard counts.planned > 0 else {
            return run.tests.isEmpty ? "" : "<p class=\"failed\">No test ran.</p>\n"
        }
        let parts = [
            (counts.passed - counts.flaky, "passed", "passed"), (counts.flaky, "flaky", "flaky"),
            (counts.failed, "failed", "failed"), (counts.crashed, "failed", "crashed"),
            (counts.timedOut, "failed", "timed out"), (counts.notRun, "failed", "not run"),
            (counts.skipped, "skipped", "skipped"),
        ].filter { $0.0 > 0 }
        let tracks = parts.map { "<i class=\"\($0.1)\" style=\"flex:\($0.0)\" title=\"\($0.0) \($0.2)\"></i>" }
        let items = parts.map { "<li class=\"\($0.1)\"><b>\(grouped($0.0))</b> \($0.2)</li>" }
        return """
            <div class="tracks">\(tracks.joined())</div>
            <ul class="totals"><li><b>\(grouped(counts.planned))</b> \(counts.planned == 1 ? "test" : "tests")</li>\
            \(items.joined())</ul>

            """
    }

    var failures: String {
        let tests = run.tests { $0.outcome?.isUnsuccessful == true }
        guard !tests.isEmpty else { return "" }
        return HTML.heading("Failures", tests.count) + tests.map { failure($0.test) }.joined()
    }

    private func failure(_ test: TestRecord) -> String {
        let attempt = test.attempts.last
        let failures = attempt?.failures ?? []
        let place = test.location.map { "<code class=\"place\">\(HTML.escaped($0.text))</code>" } ?? ""
        var body = failures.map { issue in
            // The summary contains the location of a single issue.
            let place = failures.count == 1 ? nil : issue.location.map { "<code>\(HTML.escaped($0.text))</code>" }
            let argument = issue.argument.map { "with <code>\(HTML.escaped($0))</code>" }
            let head = [place, argument].compactMap { $0 }.joined(separator: " ")
            return (head.isEmpty ? "" : "<p>\(head)</p>") + "<pre>\(HTML.escaped(issue.text))</pre>\n"
        }.joined()
        if let output = attempt?.output, !output.isBlank {
            body += "<p class=\"faint\">output</p><pre>\(HTML.escaped(output.text))</pre>\n"
        }
        if !body.isEmpty { body = "<div>\(body)</div>" }
        let ending = wording.ending(test.outcome, test.duration)
        return """
            <details open><summary>\(place)<span class="failed">✘</span> <code>\(HTML.escaped(wording.name(test.info)))</code> \
            <span class="faint">\(HTML.escaped(ending))</span></summary>\(body)</details>

            """
    }

    var failuresOutsideTests: String {
        let failures = Annotation.failuresOutsideTests(of: run)
        guard !failures.isEmpty else { return "" }
        return HTML.heading("Outside any test", failures.count)
            + failures.map { failure in
                let place = failure.location?.text ?? failure.title
                return "<pre>\(HTML.escaped("\(place)\n\(failure.text)"))</pre>\n"
            }.joined()
    }

    var diagnostics: String {
        let diagnostics = run.diagnostics.filter { $0.severity != .note }
        guard !diagnostics.isEmpty else { return "" }
        return HTML.heading("Build", diagnostics.count)
            + diagnostics.map { diagnostic in
                let isError = diagnostic.severity == .error
                let text = ([diagnostic.message] + diagnostic.excerpt).joined(separator: "\n")
                let place = diagnostic.location.map { HTML.escaped($0.text) } ?? ""
                return """
                    <details\(isError ? " open" : "")><summary><span class="\(isError ? "failed" : "flaky")">\
                    \(diagnostic.severity.rawValue)</span> <code>\(place)</code> <span class="faint">\
                    \(HTML.escaped(diagnostic.message))</span></summary><div><pre>\(HTML.escaped(text))</pre></div></details>

                    """
            }.joined()
    }

    var flaky: String {
        let tests = run.tests(where: \.isFlaky)
        guard !tests.isEmpty else { return "" }
        return HTML.heading("Flaky", tests.count)
            + tests.map { _, test in
                let texts = test.attempts.flatMap(\.failures).map { issue in
                    (issue.location.map { $0.text + "\n" } ?? "") + issue.text
                }
                return """
                    <details><summary><span class="flaky">↻</span> <code>\(HTML.escaped(wording.name(test.info)))</code> \
                    <span class="faint">passed on attempt \(test.attempts.count)</span></summary>\
                    <div><pre>\(HTML.escaped(texts.joined(separator: "\n\n")))</pre></div></details>

                    """
            }.joined()
    }

    var slowest: String {
        let tests = RunRecap.slowest(of: run, atLeast: .zero)
        guard let longest = tests.first?.duration?.seconds, longest > 0 else { return "" }
        let rows = tests.map { test in
            let share = Int(((test.duration?.seconds ?? 0) / longest * 100).rounded())
            return """
                <tr><td class="number">\(test.duration?.text ?? "")</td><td><code>\(HTML.escaped(test.id.description))</code></td>\
                <td class="bar"><i style="width:\(share)%"></i></td></tr>

                """
        }
        return HTML.heading("Slowest tests") + "<table><tbody>\n\(rows.joined())</tbody></table>\n"
    }

    var foot: String {
        "<footer>Written by <code>lane</code>.</footer>\n<script>\n\(HTMLStyle.script)\n</script>\n</body>\n</html>\n"
    }
}
