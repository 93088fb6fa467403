import Events
import Text

/// The conversion of events to permanent lines for terminals and logs.
struct RunNarration {
    let level: ReportLevel
    let results: ResultText
    private let failures: FailureText
    private var suites: [StepID?: SuiteLines] = [:]
    private var reportedDiagnostics = 0
    private var printed: [TestID?: LineBuffer] = [:]
    private var hasPrinted = false
    /// The offset of the last event with output.
    private var lastOutputAt = Duration.zero
    /// The failures of the tests of all steps.
    private var failureGroups = FailureGroups()

    /// The time without output after which the progress of a build is printed. Some services end jobs that print
    /// nothing for ten minutes.
    private static let maximumSilence = Duration.seconds(60)

    /// The maximum length of a step's command in columns.
    private static let maximumCommandWidth = 500

    /// A Boolean value that indicates whether a live display follows. Otherwise, long builds and tests are reported, and
    /// names are not truncated.
    private let isLive: Bool

    init(style: TextStyle, level: ReportLevel, isLive: Bool) {
        self.level = level
        self.isLive = isLive
        results = ResultText(style: style)
        failures = FailureText(results: results)
    }

    /// Returns the lines for an event, without line breaks. Most events have no lines.
    mutating func lines(for event: LaneEvent, _ run: RunSummary) -> [String] {
        if case .stepStarted(let start) = event.kind {
            guard level > .quiet else { return [] }
            lastOutputAt = event.offset
            // An empty line separates steps with output.
            defer { hasPrinted = false }
            return (hasPrinted ? [""] : []) + [headline(start)]
        }
        let lines = laterLines(for: event, run)
        if !lines.isEmpty { noteOutput(at: event.offset) }
        return lines
    }

    /// Records the time of the last output.
    mutating func noteOutput(at offset: Duration) {
        hasPrinted = true
        lastOutputAt = offset
    }

    private mutating func laterLines(for event: LaneEvent, _ run: RunSummary) -> [String] {
        switch event.kind {
        case .stepRetried(let retry):
            guard level > .quiet else { return [] }
            let delay = retry.delay > .zero ? " in \(retry.delay.text)" : ""
            return [
                "\(results.retry) attempt \(retry.attempt) of \(retry.attempts) failed: \(retry.reason); retrying\(delay)"
            ]
        case .stepEnded(let end): return lines(for: end)
        case .buildDiagnostic(let diagnostic):
            guard run.diagnostics.count > reportedDiagnostics else { return [] }
            reportedDiagnostics = run.diagnostics.count
            return level == .quiet && !diagnostic.isErrorOrAdvice ? [] : failures.lines(for: diagnostic)
        case .test(let testEvent): return lines(for: testEvent, event.step, run)
        case .message(let message): return lines(for: message)
        case .buildProgress(let progress):
            guard !isLive, level > .quiet, event.offset - lastOutputAt >= Self.maximumSilence else { return [] }
            return [line(for: progress, after: event.offset - (run.step(event.step)?.startedAt ?? .zero))]
        case .stepStarted, .stepOutput, .artifact, .coverage, .runStarted, .runEnded: return []
        }
    }

    private func headline(_ start: StepStart) -> String {
        let script = start.command.map { ScriptHeadline($0) }
        let ellipsis = script?.continues == true ? " " + results.ellipsis : ""
        // The step's name may consist of the command and a matrix combination.
        let command = script.map { isReported($0.text, by: start.name) ? "" : "  \($0.line)\(ellipsis)" } ?? ""
        // A value in the command may be megabytes long.
        let shown = TerminalText.truncated(
            TerminalText.sanitized(command), to: Self.maximumCommandWidth, ellipsis: results.ellipsis)
        return "\(results.begin) \(results.heading(start.name))\(results.faint(shown))"
    }

    private func line(for progress: BuildProgress, after time: Duration) -> String {
        let count = "\(grouped(progress.finished))/\(grouped(progress.total))"
        let text = TerminalText.sanitized(progress.text)
        return results.faint("\(results.ellipsis) \(count)  \(text)  after \(time.rough)")
    }

    /// Returns a Boolean value that indicates whether a name consists of the command. In the name, a value may have
    /// quotes of its own, and in the command, its word.
    private func isReported(_ command: String, by name: String) -> Bool {
        let quotes = [UInt8(ascii: "'"), UInt8(ascii: "\"")]
        let (name, command) = (name.utf8.filter { !quotes.contains($0) }, command.utf8.filter { !quotes.contains($0) })
        return name == command || name.starts(with: command + " (".utf8)
    }

    private func lines(for end: StepEnd) -> [String] {
        let forgiven = end.isForgiven ? results.faint(" (forgiven)") : ""
        switch end.outcome {
        case .passed, .upToDate, .skipped: return []
        case .cancelled: return level > .quiet ? ["\(results.skip) \(results.heading(end.name)) cancelled"] : []
        case .timedOut(let limit):
            return ["\(results.fail) \(results.heading(end.name)) timed out after \(limit.text)\(forgiven)"]
        case .failed(let status, let message):
            var text = failures.split(message)
            let first = text.isEmpty ? "failed" : text.removeFirst()
            let isKnown = status == 1 || Self.names(status, in: first)
            let number = isKnown ? "" : results.faint(" (exit status \(status))")
            return ["\(results.fail) \(results.heading(end.name)): \(first)\(number)\(forgiven)"]
                + text.map { "    " + $0 }
        }
    }

    /// Returns a Boolean value that indicates whether a message contains the word `status` and the number.
    private static func names(_ status: Int32, in message: String) -> Bool {
        let words = message.split { !$0.isLetter && !$0.isNumber }
        return zip(words, words.dropFirst()).contains { $0 == "status" && $1 == "\(status)" }
    }

    /// Returns the end of a failed step's output, for reports that did not show the output.
    func outputTail(of step: StepSummary?) -> [String] {
        guard let step, !step.output.isBlank else { return [] }
        return failures.tail(of: step.output, title: "output").map { "    " + $0 }
    }

    private mutating func lines(for event: TestEvent, _ step: StepID?, _ run: RunSummary) -> [String] {
        var lines: [String] = []
        switch event {
        case .ended(let result):
            if level == .verbose { lines = rest(of: result.test) }
            lines += self.lines(for: result, run.record(of: result.test, in: step))
        case .output(let test, let bytes) where level == .verbose:
            return quoted(printed[test, default: LineBuffer()].append(bytes), from: test)
        case .slow(let test, let after) where !isLive && level > .quiet:
            return ["\(results.warn) \(TerminalText.sanitized(test.description)) is still running after \(after.text)"]
        case .issue(let issue) where issue.test == nil && (level > .quiet || issue.severity == .failure):
            let symbol = issue.severity == .failure ? results.fail : results.warn
            let text = failures.lines(for: issue)
            return text.isEmpty ? [] : ["\(symbol) \(text[0])"] + text.dropFirst().map { "    " + $0 }
        default: break
        }
        guard level > .quiet, SuiteLines.matters(event) else { return lines }
        return lines
            + suites[step, default: SuiteLines(results: results, truncatesNames: isLive)].lines(for: event, step, run)
    }

    /// Returns the unterminated last line of a test's output.
    private mutating func rest(of test: TestID) -> [String] {
        let rest = printed[test]?.flush() ?? []
        printed[test] = nil
        return quoted(rest, from: test)
    }

    /// Returns the output of a test with its name and a margin.
    private func quoted(_ lines: [String], from test: TestID?) -> [String] {
        let name = test.map { results.faint(TerminalText.sanitized($0.description)) + " " } ?? ""
        return lines.map { line in
            "\(name)\(results.margin) \(TerminalText.row(line, keepsColor: results.style.isColored))"
        }
    }

    private mutating func lines(for result: TestResult, _ record: TestRecord?) -> [String] {
        // The records of tests that passed at the first attempt may be discarded.
        guard let record else {
            let name = results.name(TestInfo(id: result.test))
            return level == .verbose ? ["\(results.pass) \(name) \(results.ending(.passed, result.duration))"] : []
        }
        if result.outcome.isFailure {
            guard level < .verbose, let first = failureGroups.predecessor(of: record) else {
                return failures.lines(for: record)
            }
            return failures.lines(for: record, like: first)
        }
        let attempt = record.attempts.last
        var lines: [String] = []
        if record.isFlaky, level > .quiet {
            lines = ["\(results.retry) \(results.name(record.info)) passed on attempt \(attempt?.number ?? 1)"]
        } else if level == .verbose {
            let symbol = result.outcome == .passed ? results.pass : results.skip
            lines = ["\(symbol) \(results.name(record.info)) \(results.ending(result.outcome, result.duration))"]
        }
        for issue in attempt?.issues ?? [] where issue.severity == .warning && level > .quiet || level == .verbose {
            let symbol = results.warn
            let text = failures.lines(for: issue)
            lines.append(
                "\(symbol) \(results.name(record.info)) \(issue.severity == .known ? "known issue" : "warning")")
            lines += text.map { "    " + $0 }
        }
        return lines
    }

    private func lines(for message: Message) -> [String] {
        if level == .quiet, message.level != .error { return [] }
        let severity: BuildDiagnostic.Severity =
            switch message.level {
            case .note: .note
            case .warning: .warning
            case .error: .error
            }
        return failures.lines(for: BuildDiagnostic(severity, message.text, at: message.location))
    }
}
