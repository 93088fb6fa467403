import Diagnostics
package import LaneEvents

/// JUnit XML with every test that was planned, written when the run ends.
///
/// One `testsuite` for each class or suite. The elements and their order are those of the Surefire schema, the outer
/// `testsuites` and a suite's `system-out` are Jenkins's; `file` and `line` of a `testcase`, which GitLab and most
/// viewers read, are in neither. What ended badly without an assertion (crash, timeout, no result) is an `error`, so
/// that no reader takes it for a pass. Tests that were tried again carry `flakyFailure` when they passed at last and
/// `rerunFailure` when they did not.
package final class JUnitReport: Report {
    private let write: Sink

    package init(write: @escaping Sink) {
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        var writer = XMLWriter()
        let counts = run.counts
        writer.declaration()
        writer.start(
            "testsuites",
            [
                ("name", run.lane), ("tests", "\(counts.planned)"), ("failures", "\(counts.failed)"),
                ("errors", "\(counts.errors)"), ("time", run.end?.duration.decimalSeconds),
            ])
        for (step, tests) in run.tests {
            let prefix = run.tests.count > 1 ? step.map { "\($0) " } ?? "" : ""
            var output: CappedOutput? = tests.output
            for (suite, members) in Dictionary(grouping: tests.tests, by: { SuiteID($0.id) }).sorted(by: {
                $0.key < $1.key
            }) {
                let tally = tests.suites[suite] ?? SuiteTally()
                writer.start("testsuite", attributes(of: prefix + suite.title, tally, run))
                for test in members { JUnitCase(test: test).write(to: &writer) }
                // The prints of Swift Testing functions cannot be told apart; they are with their first suite.
                if suite.library == .swiftTesting, let text = output.take(), !text.isEmpty {
                    writer.text("system-out", TerminalText.harmless(text.text))
                }
                writer.end()
                write(writer.take())
            }
        }
        writer.end()
        write(writer.take())
    }

    private func attributes(of name: String, _ tally: SuiteTally, _ run: RunSummary) -> [(String, String?)] {
        [
            ("name", name), ("tests", "\(tally.counts.planned)"), ("failures", "\(tally.counts.failed)"),
            ("errors", "\(tally.counts.errors)"), ("skipped", "\(tally.counts.skipped)"),
            ("time", tally.duration.decimalSeconds), ("timestamp", iso8601(run.startedAt)),
        ]
    }
}

extension TestCounts {
    fileprivate var errors: Int { crashed + timedOut + notRun }
}

extension XMLWriter {
    fileprivate mutating func text(_ name: String, _ text: String) {
        self.text(name, [], text)
    }
}

/// One `testcase`.
private struct JUnitCase {
    let test: TestRecord

    func write(to writer: inout XMLWriter) {
        let attributes: [(String, String?)] = [
            ("name", test.id.name), ("classname", SuiteID(test.id).title),
            ("time", (test.duration ?? .zero).decimalSeconds), ("file", test.place?.path),
            ("line", test.place.map { "\($0.line)" }),
        ]
        let bad = test.attempts.filter { $0.outcome?.isUnsuccessful == true }
        let output = test.outcome?.isUnsuccessful == true ? bad.first?.output : test.attempts.last?.output
        if bad.isEmpty, output == nil, test.outcome == .passed { return writer.empty("testcase", attributes) }
        writer.start("testcase", attributes)
        if test.outcome?.isUnsuccessful == true {
            writeFailed(bad, to: &writer)
        } else {
            for attempt in bad where attempt.isFailure { again("flakyFailure", attempt, &writer) }
            if case .skipped(let reason) = test.outcome { writer.empty("skipped", [("message", reason)]) }
            for attempt in bad where !attempt.isFailure { again("flakyError", attempt, &writer) }
        }
        if let output, !output.isEmpty { writer.text("system-out", TerminalText.harmless(output.text)) }
        writer.end()
    }

    /// As Surefire does: the first bad attempt is the failure, the others are reruns.
    private func writeFailed(_ bad: [TestRecord.Attempt], to writer: inout XMLWriter) {
        guard let first = bad.first else { return }
        let reruns = bad.dropFirst()
        func main(_ name: String) {
            writer.text(name, [("message", first.message), ("type", type(of: first))], first.details)
        }
        if first.isFailure { main("failure") }
        for attempt in reruns where attempt.isFailure { again("rerunFailure", attempt, &writer) }
        if !first.isFailure { main("error") }
        for attempt in reruns where !attempt.isFailure { again("rerunError", attempt, &writer) }
    }

    private func again(_ name: String, _ attempt: TestRecord.Attempt, _ writer: inout XMLWriter) {
        writer.start(name, [("message", attempt.message), ("type", type(of: attempt))])
        writer.text("stackTrace", attempt.details)
        if let output = attempt.output, !output.isEmpty {
            writer.text("system-out", TerminalText.harmless(output.text))
        }
        writer.end()
    }

    private func type(of attempt: TestRecord.Attempt) -> String {
        switch attempt.outcome {
        case .crashed: "crash"
        case .timedOut: "timeout"
        case .notRun: "notRun"
        default: "failure"
        }
    }
}

extension TestRecord.Attempt {
    fileprivate var isFailure: Bool { outcome == .failed }
}

extension TestResult.Outcome {
    /// A failure, or no result where one was due.
    var isUnsuccessful: Bool {
        if case .notRun = self { true } else { isFailure }
    }
}
