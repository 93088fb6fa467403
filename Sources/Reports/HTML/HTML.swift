import Diagnostics
import LaneEvents

/// Shared parts of an HTML page.
enum HTML {
    static func escaped(_ text: String) -> String {
        XMLWriter.escaped(TerminalText.sanitized(text), isAttribute: true, keepsLines: true)
    }

    static func heading(_ title: String, _ count: Int? = nil) -> String {
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
