import Diagnostics
package import LaneEvents

/// A self-contained HTML page of the run: result, failures, slowest tests, timeline, steps, all tests. It is written at
/// the end of the run.
package final class HTMLReport: Report {
    private let write: Sink

    /// The number of bytes after which rows are written.
    private static let portion = 1 << 16

    package init(write: @escaping Sink) {
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        let page = HTMLPage(run: run)
        let parts = [
            page.head, page.totals, page.failures, page.outsideOfTests, page.diagnostics, page.flaky, page.slowest,
            page.timeline, page.steps, page.artifacts,
        ]
        for part in parts where !part.isEmpty { write(Array(part.utf8)) }
        var rows: [UInt8] = []
        page.writeAllTests { row in
            rows += row.utf8
            guard rows.count > Self.portion else { return }
            write(rows)
            rows.removeAll(keepingCapacity: true)
        }
        write(rows + page.foot.utf8)
    }
}

/// Shared parts of an HTML page.
package enum HTML {
    /// Returns escaped text for an element or an attribute, without control characters.
    package static func escaped(_ text: String) -> String {
        XMLWriter.escaped(TerminalText.sanitized(text), isAttribute: true, keepsLines: true)
    }

    /// Returns the heading of a section, with the number of its entries.
    package static func heading(_ title: String, _ count: Int? = nil) -> String {
        let number = count.map { " <span class=\"count\">\(grouped($0))</span>" } ?? ""
        return "<h2>\(escaped(title))\(number)</h2>\n"
    }

    /// Returns the CSS class of an outcome.
    static func kind(_ test: TestRecord, _ attempt: TestRecord.Attempt? = nil) -> String {
        switch (attempt ?? test.attempts.last)?.outcome {
        case .passed: test.isFlaky ? "flaky" : "passed"
        case .skipped, nil: "skipped"
        case .failed, .crashed, .timedOut, .notRun: "failed"
        }
    }
}
