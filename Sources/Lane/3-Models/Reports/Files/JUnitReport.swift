package import Events
import Text

/// A JUnit XML report of all planned tests. It is written at the end of the run.
///
/// There is one `testsuite` for each class or suite. The report is valid against junit-10, the schema of Jenkins's
/// xUnit plugin, which extends the schema of Surefire. In this schema, only a suite has a `file`, so the location
/// `path:line:column: ` precedes each failure's text. Failures without an assertion (crash, timeout, no result) and
/// failures outside any test are `error` elements. Failed attempts of a retried test are `flakyFailure` elements if the
/// test passed in the end, and `rerunFailure` elements otherwise.
package final class JUnitReport: EventReceiver {
    private let root: String
    private let write: Sink

    /// - Parameter root: The path of the package in the repository, either empty or with a trailing `/`.
    package init(root: String = "", write: @escaping Sink) {
        self.root = root
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        guard case .runEnded = event.kind else { return }
        var writer = XMLWriter()
        let counts = run.counts
        let outside = Annotation.errorsOutsideTests(of: run)
        writer.declaration()
        writer.start(
            "testsuites",
            [
                ("name", run.lane), ("tests", "\(counts.planned + outside.count)"), ("failures", "\(counts.failed)"),
                ("errors", "\(counts.errors + outside.count)"), ("time", run.end?.duration.decimalSeconds),
            ])
        for (step, tests) in run.tests {
            let prefix = run.tests.count > 1 ? step.map { "\($0) " } ?? "" : ""
            var output: CappedOutput? = tests.output
            for members in tests.suiteCases {
                let suite = members.suite
                let tally = tests.suites[suite] ?? SuiteTally()
                writer.start(
                    "testsuite",
                    attributes(of: prefix + suite.title, tally.counts, tally.duration ?? .zero, run)
                        + [("file", members.file.map { $0.hasPrefix("/") ? $0 : root + $0 })])
                for test in members.cases {
                    switch test {
                    case .record(let record): JUnitCase(test: record, root: root).write(to: &writer)
                    case .passed(let test):
                        writer.empty("testcase", JUnitCase.attributes(test.name, of: suite, test.duration))
                    }
                }
                // The output of Swift Testing functions is not separated, so it is added to their first suite.
                if suite.library == .swiftTesting, let text = output.take(), !text.isBlank {
                    writer.text("system-out", TerminalText.sanitized(text.text))
                }
                writer.end()
                write(writer.take())
            }
        }
        if !outside.isEmpty { write(outside, of: run, to: &writer) }
        writer.end()
        write(writer.take())
    }

    private func write(_ failures: [Annotation], of run: RunSummary, to writer: inout XMLWriter) {
        var counts = TestCounts()
        (counts.planned, counts.notRun) = (failures.count, failures.count)
        writer.start("testsuite", attributes(of: "outside any test", counts, .zero, run))
        for failure in failures {
            let place = failure.location.map { "\($0.text): " } ?? ""
            let name = place + failure.title
            writer.start("testcase", [("name", name), ("classname", run.lane), ("time", Duration.zero.decimalSeconds)])
            writer.text("error", [("message", failure.text), ("type", "error")], place + failure.text)
            writer.end()
        }
        writer.end()
    }

    private func attributes(
        of name: String, _ counts: TestCounts, _ duration: Duration, _ run: RunSummary
    ) -> [(String, String?)] {
        [
            ("name", name), ("tests", "\(counts.planned)"), ("failures", "\(counts.failed)"),
            ("errors", "\(counts.errors)"), ("skipped", "\(counts.skipped)"), ("time", duration.decimalSeconds),
            ("timestamp", Instant(secondsSince1970: run.startedAt).description),
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

/// A `testcase` element.
private struct JUnitCase {
    let test: TestRecord
    /// The path of the package in the repository.
    let root: String

    /// Returns the attributes of the element.
    static func attributes(_ name: String, of suite: SuiteID, _ duration: Duration?) -> [(String, String?)] {
        [("name", name), ("classname", suite.title), ("time", (duration ?? .zero).decimalSeconds)]
    }

    func write(to writer: inout XMLWriter) {
        let attributes = Self.attributes(test.id.name, of: SuiteID(test.id), test.duration)
        let bad = test.attempts.filter { $0.outcome?.isUnsuccessful == true }
        let attempt = test.outcome?.isUnsuccessful == true ? bad.first : test.attempts.last
        let output = attempt?.output.flatMap { $0.isBlank ? nil : $0 }
        let remarks = remarks + attachments
        if bad.isEmpty, output == nil, remarks.isEmpty, test.outcome == .passed {
            return writer.empty("testcase", attributes)
        }
        writer.start("testcase", attributes)
        if test.outcome?.isUnsuccessful == true {
            writeFailed(bad, to: &writer)
        } else {
            for attempt in bad where attempt.isFailure { again("flakyFailure", attempt, &writer) }
            if case .skipped(let reason) = test.outcome { writer.empty("skipped", [("message", reason)]) }
            for attempt in bad where !attempt.isFailure { again("flakyError", attempt, &writer) }
        }
        let text = remarks + (output.map { TerminalText.sanitized($0.text) } ?? "")
        if !text.isEmpty { writer.text("system-out", text) }
        writer.end()
    }

    /// The attached files, in the form that GitLab and Jenkins read.
    private var attachments: String {
        test.attempts.flatMap(\.attachments).map { path in
            "[[ATTACHMENT|\(TerminalText.onOneLine(path.hasPrefix("/") ? path : root + path))]]\n"
        }.joined()
    }

    /// The warnings, known issues and cancellations. The schema has no elements for them.
    private var remarks: String {
        let issues = test.attempts.last?.issues.filter { $0.severity != .failure } ?? []
        return issues.map { issue in
            let place = issue.location.map { "\($0.text): " } ?? ""
            return TerminalText.sanitized(
                "\(place)\(issue.severity == .known ? "known issue" : "warning"): \(issue.text)")
                + "\n"
        }.joined()
    }

    /// Writes the first failed attempt as the failure and the others as reruns, as Surefire does.
    private func writeFailed(_ bad: [TestRecord.Attempt], to writer: inout XMLWriter) {
        guard let first = bad.first else { return }
        let reruns = bad.dropFirst()
        func main(_ name: String) {
            let place = first.failures.isEmpty ? test.location.map { "\($0.text): " } ?? "" : ""
            writer.text(name, [("message", first.message), ("type", type(of: first))], place + first.details)
        }
        if first.isFailure { main("failure") }
        for attempt in reruns where attempt.isFailure { again("rerunFailure", attempt, &writer) }
        if !first.isFailure { main("error") }
        for attempt in reruns where !attempt.isFailure { again("rerunError", attempt, &writer) }
    }

    private func again(_ name: String, _ attempt: TestRecord.Attempt, _ writer: inout XMLWriter) {
        writer.start(name, [("message", attempt.message), ("type", type(of: attempt))])
        writer.text("stackTrace", attempt.details)
        if let output = attempt.output, !output.isBlank {
            writer.text("system-out", TerminalText.sanitized(output.text))
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
    /// A Boolean value that indicates whether the test failed or has no result.
    var isUnsuccessful: Bool {
        if case .notRun = self { true } else { isFailure }
    }
}
