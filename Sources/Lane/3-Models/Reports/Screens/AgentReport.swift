package import Events
import Text

/// A report for programs that read the output, such as coding agents. It contains all failures in a compact form.
///
/// It is written at the end of the run. Failures are grouped by file and suite, so that both are written once.
package final class AgentReport: EventReceiver {
    private let write: Sink
    private let xcodebuild: () -> String?

    /// - Parameter xcodebuild: A closure that returns the `xcodebuild` command in the log, or `nil` for other logs.
    package init(xcodebuild: @escaping () -> String? = { nil }, write: @escaping Sink) {
        self.xcodebuild = xcodebuild
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
        // A log has no steps, and its reader knows the command of `swift test`.
        guard !run.steps.isEmpty else {
            return failed.first.flatMap { command(for: $0.test.id) }.map { ["rerun one: \($0)"] } ?? []
        }
        return run.steps.flatMap { step -> [String] in
            guard let end = step.end, end.outcome.isFailure, end.outcome != .cancelled, let start = step.start else {
                return []
            }
            let failed = failed.first { $0.step == step.id }?.test.id
            let again = (failed == nil ? nil : start.repeatFailedCommand) ?? step.repeatCommand
            let one = failed.flatMap { test in
                start.repeatTestsCommand.map { "rerun one: \($0) --filter \(quoted(test.description))" }
            }
            return [again.map { "rerun: \($0)" }, one, start.log.map { "log: \($0)" }].compactMap(\.self)
        }
    }

    /// Returns the `xcodebuild` command that runs a test of a log again.
    private func command(for test: TestID) -> String? {
        guard let xcodebuild = xcodebuild() else { return nil }
        let target = test.module.isEmpty ? "TARGET" : test.module
        let name = ([target, test.suite].filter { !$0.isEmpty } + [test.name]).joined(separator: "/")
        return "\(xcodebuild) -only-testing:\(quoted(name))"
    }

    private func quoted(_ name: String) -> String {
        var words: [UInt8] = []
        words.appendShellQuoted(TerminalText.sanitized(name))
        return String(decoding: words, as: UTF8.self)
    }

    /// Returns the result of the run and its totals without skipped tests and known issues. For a log, the totals
    /// alone can express the result.
    private func verdict(of run: RunSummary) -> String {
        let status = run.end?.status ?? 0
        var counts = run.counts
        (counts.skipped, counts.knownIssues) = (0, 0)
        let errors = run.diagnostics.count { $0.severity == .error }
        let totals =
            (errors > 0 ? [count(errors, "error")] : [])
            + (counts.planned > 0 ? [ResultText(style: .plain).tally(counts, passes: run.passes)] : [])
        let result = status == 0 ? "passed" : status == 1 ? "failed" : "failed with status \(status)"
        guard run.steps.isEmpty else {
            return "\(run.lane): \(([result, run.end?.duration.text ?? ""] + totals).joined(separator: ", "))"
        }
        let isClear = errors > 0 || counts.unsuccessful > 0 || status == 0 && counts.passed > 0
        return ((isClear ? [] : [result]) + totals).joined(separator: ", ")
    }
}
