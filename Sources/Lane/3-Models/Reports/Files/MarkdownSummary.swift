package import Events
import Text

/// A summary of the run in Markdown, for a file or for the CI service. It is written at the end of the run.
package final class MarkdownSummary: EventReceiver {
    /// The maximum size in bytes. GitHub rejects the summaries of a job if they exceed 1 MiB.
    static let limit = 1000 * 1024
    private static let maximumTextSize = 8 * 1024

    private let write: Sink

    package init(write: @escaping Sink) {
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        write(Array(text(for: run).utf8))
    }

    private func text(for run: RunSummary) -> String {
        var text = header(run) + steps(run) + artifacts(run)
        let end = flaky(run) + slowest(run)
        let room = Self.limit - end.utf8.count
        for part in diagnostics(run) + failures(run) {
            guard text.utf8.count + part.utf8.count < room else {
                text += "\nThe summary is truncated; the log contains the rest.\n"
                break
            }
            text += part
        }
        return text + end
    }

    private func header(_ run: RunSummary) -> String {
        let isGood = run.end?.status == 0
        let verdict = isGood ? "passed in" : "failed after"
        var text = "## \(isGood ? "✅" : "❌") \(Self.escaped(run.lane)) \(verdict) \(run.end?.duration.text ?? "")\n\n"
        let counts = run.counts
        if counts.planned > 0 {
            let tally = ResultText(style: .plain).tally(counts, passes: run.passes)
            text += "**\(count(counts.planned, "test"))**: \(tally)\n\n"
        } else if !run.tests.isEmpty {
            text += "**No test ran.**\n\n"
        }
        return text
    }

    private func steps(_ run: RunSummary) -> String {
        guard run.steps.count > 1 else { return "" }
        let table = StepTable(results: ResultText(style: .plain))
        let rows = run.steps.map { step in
            let (symbol, remark) = table.status(of: step)
            return "| \(symbol) | \(Self.inline(step.name)) | \(table.time(of: step)) | \(Self.inline(remark)) |\n"
        }
        return "| | step | time | |\n|-|------|-----:|-|\n" + rows.joined() + "\n"
    }

    private func artifacts(_ run: RunSummary) -> String {
        guard !run.artifacts.isEmpty else { return "" }
        let rows = run.artifacts.map { artifact in
            let sum = artifact.sha256.map { "`\($0)`" } ?? ""
            return "| \(Self.inline(artifact.path)) | \(sizeText(artifact.size)) | \(sum) |\n"
        }
        return "| file | size | SHA-256 |\n|------|-----:|---------|\n" + rows.joined() + "\n"
    }

    private func diagnostics(_ run: RunSummary) -> [String] {
        let errors = run.diagnostics.filter { $0.severity == .error }
        let warnings = run.diagnostics.filter { $0.severity == .warning }
        return section("Build errors", errors.map(entry), isOpen: true)
            + section("Build warnings", warnings.map(entry), isOpen: false)
    }

    private func entry(for diagnostic: BuildDiagnostic) -> (title: String, text: String) {
        let title = diagnostic.location?.text ?? diagnostic.severity.rawValue
        return (title, ([diagnostic.message] + diagnostic.excerpt).joined(separator: "\n"))
    }

    private func failures(_ run: RunSummary) -> [String] {
        let results = ResultText(style: .plain)
        let text = FailureText(results: results)
        func entries(_ chosen: (TestResult.Outcome?) -> Bool) -> [(title: String, text: String)] {
            run.tests { chosen($0.outcome) }.map { _, test in
                ("\(results.name(test.info)) \(results.ending(test.outcome, test.duration))", text.details(of: test))
            }
        }
        return section("Failed", entries { $0 == .failed }, isOpen: true)
            + section("Crashed", entries { if case .crashed = $0 { true } else { false } }, isOpen: true)
            + section("Timed out", entries { if case .timedOut = $0 { true } else { false } }, isOpen: true)
            + section("Outside any test", failuresOutsideTests(run), isOpen: true)
            + section("Not run", entries { if case .notRun = $0 { true } else { false } }, isOpen: false)
    }

    private func failuresOutsideTests(_ run: RunSummary) -> [(title: String, text: String)] {
        Annotation.failuresOutsideTests(of: run).map { ($0.location?.text ?? $0.title, $0.text) }
    }

    /// Returns a heading and a collapsible part for each entry.
    private func section(_ title: String, _ entries: [(title: String, text: String)], isOpen: Bool) -> [String] {
        guard !entries.isEmpty else { return [] }
        return ["### \(title) (\(grouped(entries.count)))\n\n"]
            + entries.map { entry in
                let summary = "<summary><code>\(Self.escaped(entry.title))</code></summary>"
                guard !entry.text.isEmpty else { return "- <code>\(Self.inline(entry.title))</code>\n" }
                return "<details\(isOpen ? " open" : "")>\(summary)\n\n\(Self.fenced(entry.text))\n</details>\n\n"
            }
    }

    private func flaky(_ run: RunSummary) -> String {
        let tests = run.tests(where: \.isFlaky)
        guard !tests.isEmpty else { return "" }
        let lines = tests.prefix(100).map {
            "- <code>\(Self.inline($0.test.id.description))</code> passed on attempt \($0.test.attempts.last?.number ?? 1)\n"
        }
        let more = tests.count > lines.count ? "- and \(grouped(tests.count - lines.count)) more\n" : ""
        return "### Flaky (\(grouped(tests.count)))\n\n" + lines.joined() + more + "\n"
    }

    private func slowest(_ run: RunSummary) -> String {
        let tests = RunRecap.slowest(of: run, atLeast: RunRecap.slowEnough)
        guard !tests.isEmpty else { return "" }
        let rows = tests.map { "| \($0.duration?.text ?? "") | \(Self.inline($0.id.description)) |\n" }
        return "### Slowest\n\n| time | test |\n|-----:|------|\n" + rows.joined() + "\n"
    }

    /// Returns a text in a fence that is longer than any fence in the text.
    private static func fenced(_ text: String) -> String {
        var text = TerminalText.sanitized(text)
        if text.utf8.count > maximumTextSize {
            text =
                String(decoding: Array(text.utf8.prefix(maximumTextSize)), as: UTF8.self)
                + "\n… truncated; the log contains the full text"
        }
        var (longest, current) = (0, 0)
        for byte in text.utf8 {
            current = byte == UInt8(ascii: "`") ? current + 1 : 0
            longest = max(longest, current)
        }
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)text\n\(text)\n\(fence)\n"
    }

    private static func escaped(_ text: String) -> String {
        escapedForXML(TerminalText.sanitized(text), isAttribute: false)
    }

    /// Returns a text for use in a line or a table cell, with Markdown syntax escaped.
    private static func inline(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in escaped(text).unicodeScalars {
            if "|`*_[\\".unicodeScalars.contains(scalar) { line.append("\\") }
            line.append(scalar == "\n" ? " " : scalar)
        }
        return String(line)
    }
}
