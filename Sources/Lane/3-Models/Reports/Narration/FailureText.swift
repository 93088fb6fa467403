import Events
import Text

/// The text of a test, build or step failure. The location comes first.
struct FailureText {
    /// The maximum width of an argument in columns.
    private static let maximumArgumentWidth = 500

    let wording: Wording
    /// The maximum number of lines of a test's output.
    var outputLines = 20

    private var style: TextStyle { wording.style }

    /// Returns the name and result of a test, the issues of its last attempt, and the end of its output.
    func lines(for test: TestRecord, withOutput: Bool = true) -> [String] {
        guard let attempt = test.attempts.last else { return [] }
        let retries = attempt.number > 1 ? " (attempt \(attempt.number))" : ""
        let ending = wording.ending(attempt.outcome, attempt.duration) + retries
        var lines = ["\(wording.fail) \(style.apply(.bold, to: wording.name(test.info))) \(ending)"]
        lines += issues(of: test, attempt).map { "    " + $0 }
        guard withOutput, let output = attempt.output, !output.isBlank else { return lines }
        return lines + tail(of: output, title: "output").map { "    " + $0 }
    }

    /// Returns the name and result of a test that failed in the same way as an earlier test.
    func lines(for test: TestRecord, like first: TestInfo) -> [String] {
        lines(for: test, withOutput: false).prefix(1).map { "\($0), same as \(wording.name(first))" }
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
        if omitted > 0 { lines.append(wording.faint("and \(grouped(omitted, "more issue"))")) }
        return lines
    }

    /// Returns a truncated argument. Arguments may be megabytes long, and report files contain them completely.
    private func shown(_ argument: String) -> String {
        let text = TerminalText.onOneLine(argument)
        return "with \(TerminalText.truncated(text, to: Self.maximumArgumentWidth, ellipsis: wording.ellipsis))"
    }

    /// Returns the location and the argument, followed by the text.
    func lines(for issue: TestIssue) -> [String] {
        var head: [String] = []
        if let location = issue.location { head.append(style.apply(.cyan, to: location.text)) }
        if let argument = issue.argument { head.append(shown(argument)) }
        let text = split(issue.text)
        return (head.isEmpty ? [] : [head.joined(separator: " ")]) + text
    }

    /// Returns a title with the size of the output, and the last lines of the output with a margin.
    func tail(of output: CappedOutput, title: String) -> [String] {
        let lines = output.lastLines(outputLines + 1)
        let isCut = output.dropped > 0 || lines.count > outputLines
        let head = isCut ? "\(title), the last \(outputLines) lines of \(sizeText(output.total)):" : "\(title):"
        return [wording.faint(head)]
            + lines.suffix(outputLines).map {
                "\(wording.margin) \(TerminalText.row($0, keepsColor: style.isColored))"
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
