package import Events
import Text

/// The text of a test, build or step failure. The location comes first.
struct FailureText {
    /// The maximum width of an argument in columns.
    private static let maximumArgumentWidth = 500

    let results: ResultText
    /// The maximum number of lines of a test's output.
    var outputLines = 20

    private var style: TextStyle { results.style }

    /// Returns the name and result of a test, the issues of its last attempt, and the end of its output.
    func lines(for test: TestRecord, withOutput: Bool = true) -> [String] {
        guard let attempt = test.attempts.last else { return [] }
        let retries = attempt.number > 1 ? " (attempt \(attempt.number))" : ""
        let ending = results.ending(attempt.outcome, attempt.duration) + retries
        var lines = ["\(results.fail) \(style.apply(.bold, to: results.name(test.info))) \(ending)"]
        lines += issues(of: test, attempt).map { "    " + $0 }
        lines += attempt.attachments.map { "    \(results.faint("attached:")) \(TerminalText.onOneLine($0))" }
        guard withOutput, let output = attempt.output, !output.isBlank else { return lines }
        return lines + tail(of: output, title: "output").map { "    " + $0 }
    }

    /// Returns the name and result of a test that failed in the same way as an earlier test.
    func lines(for test: TestRecord, like first: TestInfo) -> [String] {
        lines(for: test, withOutput: false).prefix(1).map { "\($0), same as \(results.name(first))" }
    }

    /// Returns the issues of the last attempt and the end of the output as one text.
    func details(of test: TestRecord) -> String {
        lines(for: test).dropFirst().map { String($0.dropFirst(4)) }.joined(separator: "\n")
    }

    private func issues(of test: TestRecord, _ attempt: TestRecord.Attempt) -> [String] {
        var lines = attempt.failures.flatMap { self.lines(for: $0) }
        if attempt.failures.isEmpty {
            if let place = test.info.location { lines.append(style.apply(.cyan, to: place.text)) }
            if let argument = attempt.argument { lines.append(shown(argument)) }
        }
        let omitted = attempt.issueCount - attempt.issues.count
        if omitted > 0 { lines.append(results.faint("and \(grouped(omitted, "more issue"))")) }
        return lines
    }

    /// Returns a truncated argument. Arguments may be megabytes long, and report files contain them completely.
    private func shown(_ argument: String) -> String {
        let text = TerminalText.onOneLine(argument)
        return "with \(TerminalText.truncated(text, to: Self.maximumArgumentWidth, ellipsis: results.ellipsis))"
    }

    /// Returns the location and the argument, followed by the source and the text, with the difference of values.
    func lines(for issue: TestIssue) -> [String] {
        place(of: issue) + source(of: issue) + IssueExplanation(issue.text).lines(style)
    }

    /// Returns the line with the location and the argument, if any.
    private func place(of issue: TestIssue) -> [String] {
        let place = issue.location.map { style.apply(.cyan, to: $0.text) }
        let head = [place, issue.argument.map(shown)].compactMap(\.self)
        return head.isEmpty ? [] : [head.joined(separator: " ")]
    }

    /// Returns the source lines of the failed expectation with their numbers.
    private func source(of issue: TestIssue) -> [String] {
        guard let line = issue.location?.line else { return [] }
        return issue.source.enumerated().map { offset, text in
            "\(results.faint("\(line + offset) |")) \(TerminalText.sanitized(text))"
        }
    }

    /// Returns the name and result of a test, and the location and first line of its first failure, each shortened to
    /// a number of columns.
    func brief(_ test: TestRecord, width: Int) -> [String] {
        guard let attempt = test.attempts.last else { return [] }
        let head = lines(for: test, withOutput: false).prefix(1)
        guard let issue = attempt.failures.first else {
            return head + (test.info.location.map { ["    " + style.apply(.cyan, to: $0.text)] } ?? [])
        }
        return head + brief(issue, width: width).map { "    " + $0 }
    }

    /// Returns the location and the first line of an issue.
    func brief(_ issue: TestIssue, width: Int) -> [String] {
        let text = split(issue.text)
        let more = text.count > 1 ? " \(results.ellipsis)" : ""
        return (place(of: issue) + [(text.first ?? "") + more]).map {
            TerminalText.truncated($0, to: width, ellipsis: results.ellipsis)
        }
    }

    /// Returns a title with the size of the output, and the last lines of the output with a margin.
    func tail(of output: CappedOutput, title: String) -> [String] {
        let lines = output.lastLines(outputLines + 1)
        let isCut = output.dropped > 0 || lines.count > outputLines
        let head = isCut ? "\(title), the last \(outputLines) lines of \(sizeText(output.total)):" : "\(title):"
        return [results.faint(head)]
            + lines.suffix(outputLines).map {
                "\(results.margin) \(TerminalText.row($0, keepsColor: style.isColored))"
            }
    }

    /// Returns the location, severity and message, followed by the source excerpt.
    func lines(for diagnostic: BuildDiagnostic) -> [String] {
        let color: TextStyle.Attribute =
            switch diagnostic.severity {
            case .error: .red
            case .warning: .yellow
            case .note: .cyan
            }
        let place = diagnostic.location.map { style.apply(.bold, to: $0.text + ":") + " " } ?? ""
        let severity = style.apply(color, to: diagnostic.severity.rawValue + ":")
        var message = split(diagnostic.message)
        let first = message.isEmpty ? "" : message.removeFirst()
        return ["\(place)\(severity) \(style.apply(.bold, to: first))"]
            + (message + diagnostic.excerpt).map { "    " + $0 }
    }

    func split(_ text: String) -> [String] {
        TerminalText.sanitized(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

extension BuildDiagnostic {
    /// A Boolean value that indicates whether the diagnostic is an error, or advice on one, which is a note without a
    /// location.
    package var isErrorOrAdvice: Bool { severity == .error || severity == .note && location == nil }
}
