package import LaneEvents

/// A self-contained HTML page of the run, written at its end: result, failures, slowest tests, timeline, steps, all
/// tests.
package final class HTMLReport: Report {
    private let write: Sink

    package init(write: @escaping Sink) {
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        let page = HTMLPage(run: run)
        let parts = [
            page.head, page.totals, page.failures, page.outsideOfTests, page.diagnostics, page.flaky, page.slowest,
            page.timeline,
            page.steps, page.artifacts, page.allTests, page.foot,
        ]
        for part in parts where !part.isEmpty { write(Array(part.utf8)) }
    }
}
