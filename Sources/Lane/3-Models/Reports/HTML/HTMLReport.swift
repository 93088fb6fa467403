package import Events
import Text

/// A self-contained HTML page of the run: origin, result, failures, slowest tests, timeline, steps, and all tests by
/// suite. It is written at the end of the run.
package final class HTMLReport: EventReceiver {
    private let sources: ReportSources
    private let write: Sink

    /// The number of bytes after which parts are written.
    private static let portion = 1 << 16

    package init(sources: ReportSources = ReportSources(), write: @escaping Sink) {
        self.sources = sources
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        let page = HTMLPage(run: run, sources: sources)
        var pending: [UInt8] = []
        func add(_ text: String) {
            pending += text.utf8
            guard pending.count > Self.portion else { return }
            write(pending)
            pending.removeAll(keepingCapacity: true)
        }
        let parts: [KeyPath<HTMLPage, String>] = [
            \.head, \.totals, \.failures, \.failuresOutsideTests, \.diagnostics, \.flaky, \.slowest,
        ]
        for part in parts { add(page[keyPath: part]) }
        page.writeTimeline(add)
        add(page.steps)
        add(page.artifacts)
        page.writeAllTests(add)
        add(HTMLStyle.foot(script: HTMLStyle.reportScript))
        write(pending)
    }
}

/// Shared parts of an HTML page.
enum HTML {
    /// Returns escaped text for an element or an attribute, without control characters.
    static func escaped(_ text: String) -> String {
        escapedForXML(TerminalText.sanitized(text), isAttribute: true, keepsLines: true)
    }

    /// Returns an escaped name that can break after separators.
    static func name(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in escaped(text).utf8 {
            result.append(byte)
            if "/._".utf8.contains(byte) { result += "<wbr>".utf8 }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns a command with a button that copies it, which needs a script.
    static func command(_ text: String) -> String {
        "<p class=\"command\"><code>\(escaped(text))</code></p>"
    }

    /// Returns the heading of a section, with the number of its entries.
    static func heading(_ title: String, _ count: Int? = nil) -> String {
        let number = count.map { " <span class=\"count\">\(grouped($0))</span>" } ?? ""
        return "<h2>\(escaped(title))\(number)</h2>\n"
    }

    /// The kind of an outcome, which is its CSS class.
    enum Kind: String {
        case passed, flaky, failed, skipped
    }

    /// Returns the kind of an outcome.
    static func kind(_ test: TestRecord, _ attempt: TestRecord.Attempt? = nil) -> Kind {
        switch (attempt ?? test.attempts.last)?.outcome {
        case .passed: test.isFlaky ? .flaky : .passed
        case .skipped, nil: .skipped
        case .failed, .crashed, .timedOut, .notRun: .failed
        }
    }
}
