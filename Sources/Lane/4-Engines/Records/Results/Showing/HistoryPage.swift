import Events
import Reports
import Text

/// The assessment of a history as a self-contained HTML page with the trend of each test.
package struct HistoryPage {
    private let history: HistoryAssessment

    package init(_ history: HistoryAssessment) {
        self.history = history
    }

    package var html: String {
        head + section("Flaky", history.flaky, flaky) + section("Failing", history.broken, broken)
            + section("Slower", history.slower, slower) + groups + allTests + HTMLStyle.foot()
    }

    private var head: String {
        let dates = [history.runs.first, history.runs.last].compactMap(\.self).map {
            Instant(secondsSince1970: $0.startedAt).date.description
        }
        let css = """
            td.trend { width: 16rem; } td.trend svg { min-width: 0; width: 15rem; height: 28px; }
            td code { overflow-wrap: anywhere; }
            @media (max-width: 40rem) { td.trend { width: 6rem; } td.trend svg { width: 5.5rem; } }
            svg path { fill: none; stroke: var(--run); stroke-width: 1.2; }
            .panel { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .2rem .9rem;
              margin: .5rem 0; }
            .panel li { overflow-wrap: anywhere; }

            """
        return HTMLStyle.head(title: "Test history", css: css) + """
            <h1>Test history</h1>
            <p class="faint">\(history.tests.count) tests, \(history.runs.count) runs, \
            \(dates.joined(separator: " to ")) UTC</p>
            <ul class="totals">\(totals)</ul>

            """
    }

    private var totals: String {
        [
            (history.flaky.count, "flaky", "flaky"), (history.broken.count, "failed", "failing"),
            (history.slower.count, "flaky", "slower"),
        ].map { "<li class=\"\($0.0 == 0 ? "skipped" : $0.1)\"><b>\($0.0)</b> \($0.2)</li>" }.joined()
    }

    private func section(
        _ title: String, _ tests: [TestAssessment], _ remark: (TestAssessment) -> (String, String)
    ) -> String {
        guard !tests.isEmpty else { return "" }
        let rows = tests.map { test in
            let (figure, explanation) = remark(test)
            return """
                <tr><td class="number">\(figure)</td><td><code>\(HTML.escaped(test.test.description))</code><br>\
                <span class="faint">\(HTML.escaped(explanation))</span></td><td class="trend">\(TrendChart(test, in: history).svg)</td></tr>

                """
        }
        return HTML.heading(title, tests.count) + "<table><tbody>\n\(rows.joined())</tbody></table>\n"
    }

    private func flaky(_ test: TestAssessment) -> (String, String) {
        let rate = test.flakiness.rate
        let since = test.flakiness.failures.map { ", since \(point($0.lowerBound, of: test))" } ?? ""
        let evidence =
            switch test.flakiness.evidence {
            case .retried: "passed when retried"
            case .sameCommit: "passed and failed at one commit"
            case .alternating, nil: "alternates"
            }
        return (
            HistoryWords.percent(rate.value),
            "\(rate.failed) of \(rate.attempts) attempts failed (95%: \(HistoryWords.interval(rate)))\(since); \(evidence)"
        )
    }

    private func broken(_ test: TestAssessment) -> (String, String) {
        let broken = test.flakiness.broken
        return ("\(broken.count)\u{202F}×", "fails always since \(point(broken.lowerBound, of: test))")
    }

    private func slower(_ test: TestAssessment) -> (String, String) {
        guard let slowdown = test.slowdown else { return ("", "") }
        let tenths = Int((slowdown.factor * 10).rounded())
        return (
            "\(tenths / 10).\(tenths % 10)\u{202F}×",
            "\(HistoryWords.time(slowdown.before)) before, \(HistoryWords.time(slowdown.after)) since \(point(slowdown.trial, of: test))"
        )
    }

    private func point(_ trial: Int, of test: TestAssessment) -> String {
        HistoryWords.point(history.run(trial, of: test))
    }

    private var groups: String {
        guard !history.groups.isEmpty else { return "" }
        return HTML.heading("Always fail together", history.groups.count)
            + history.groups.map { group in
                let items = group.map { "<li><code>\(HTML.escaped($0.description))</code></li>" }
                return "<div class=\"panel\"><ul>\(items.joined())</ul></div>\n"
            }.joined()
    }

    private var allTests: String {
        let rows = history.tests.map { test in
            let rate = test.flakiness.rate
            // The rate is that before the test broke.
            let broken = test.flakiness.broken.count
            let kind = test.isBroken ? "failed" : test.isFlaky ? "flaky" : "passed"
            let time = test.series.trials.last { $0.microseconds != nil }?.microseconds
            return """
                <tr><td class="number">\(time.map(HistoryWords.time) ?? "-")</td><td class="number \(kind)">\(rate.failed + broken)/\(rate.attempts + broken)</td>\
                <td><code>\(HTML.escaped(test.test.description))</code></td></tr>

                """
        }
        return """
            \(HTML.heading("All tests", history.tests.count))<input type="search" placeholder="Search" hidden>
            <table id="all"><thead><tr><th class="number">time</th><th class="number">failed</th><th>test</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody></table>

            """
    }
}
