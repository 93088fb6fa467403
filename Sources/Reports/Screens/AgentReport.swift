import Diagnostics
import Text
package import LaneEvents

/// A report for programs that read the output, such as coding agents: all failures in as few bytes as possible.
///
/// It is written at the end of the run. Failures are grouped by file and suite, so that both are written once.
package final class AgentReport: Report {
    private let write: Sink

    package init(write: @escaping Sink) {
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        var text = AgentText(for: run)
        text.addBuildErrors(of: run)
        text.addTests(of: run)
        text.addOtherFailures(of: run)
        for line in advice(for: run) + [verdict(of: run)] { text.add(line) }
        write(Array(text.text.utf8))
    }

    /// Returns the commands that run failures again, and the log files of failed steps.
    private func advice(for run: RunSummary) -> [String] {
        let failed = run.tests { $0.outcome?.isFailure == true }
        // A log that was read has no steps.
        guard !run.steps.isEmpty else {
            let name = failed.first.map { withoutLabels($0.test.id.description) }
            return name.map { ["rerun one: swift test --filter \(quoted($0))"] } ?? []
        }
        return run.steps.flatMap { step -> [String] in
            guard let end = step.end, end.outcome.isFailure, end.outcome != .cancelled, let start = step.start else {
                return []
            }
            let failed = failed.first { $0.step == step.id }?.test.id
            let again = (failed == nil ? nil : start.repeatFailedCommand) ?? start.repeatCommand
            let one = failed.flatMap { test in
                start.repeatTestsCommand.map { "rerun one: \($0) --filter \(quoted(test.description))" }
            }
            return [again.map { "rerun: \($0)" }, one, start.log.map { "log: \($0)" }].compactMap(\.self)
        }
    }

    /// Returns a name for `swift test`, to which brackets are those of a regular expression.
    private func withoutLabels(_ name: String) -> String { String(name.prefix { $0 != "(" }) }

    private func quoted(_ name: String) -> String {
        var words: [UInt8] = []
        TerminalText.sanitized(name).utf8.appendShellQuoted(to: &words)
        return String(decoding: words, as: UTF8.self)
    }

    /// Returns the result of the run and its totals.
    private func verdict(of run: RunSummary) -> String {
        let status = run.end?.status ?? 0
        let errors = run.diagnostics.count { $0.severity == .error }
        let counts = run.counts
        let parts =
            [status == 0 ? "passed" : "failed with status \(status)", run.end?.duration.text ?? ""]
            + (errors > 0 ? [count(errors, "build error")] : [])
            + (counts.planned > 0 ? [Wording(style: .plain).tally(counts, passes: run.passes)] : [])
        return "\(run.lane): \(parts.joined(separator: ", "))"
    }
}
