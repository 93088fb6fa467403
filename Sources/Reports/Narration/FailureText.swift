import Diagnostics
import LaneEvents

/// Tells what a test, a build or a step has to complain about: whole, with the place first.
struct FailureText {
    /// In columns.
    private static let longestArgument = 500

    let wording: Wording
    /// Lines of captured output that are shown of one test.
    var outputLines = 20

    private var style: TextStyle { wording.style }

    /// The test's name and how it ended, then every issue of its last attempt and the end of what it printed.
    func lines(for test: TestRecord, withOutput: Bool = true) -> [String] {
        guard let attempt = test.attempts.last else { return [] }
        let retries = attempt.number > 1 ? " (attempt \(attempt.number))" : ""
        let ending = wording.ending(attempt.outcome, attempt.duration) + retries
        var lines = ["\(wording.fail) \(style.apply(.bold, to: wording.name(test.info))) \(ending)"]
        lines += issues(of: test, attempt).map { "    " + $0 }
        guard withOutput, let output = attempt.output, !output.isBlank else { return lines }
        return lines + tail(of: output, title: "its output").map { "    " + $0 }
    }

    /// The test's name and how it ended, and which earlier one ended in the same way.
    func lines(for test: TestRecord, like first: TestInfo) -> [String] {
        lines(for: test, withOutput: false).prefix(1).map { "\($0), as \(wording.name(first)) did" }
    }

    /// Every issue of the last attempt and the end of what it printed, as one text.
    func details(of test: TestRecord) -> String {
        lines(for: test).dropFirst().map { String($0.dropFirst(4)) }.joined(separator: "\n")
    }

    private func issues(of test: TestRecord, _ attempt: TestRecord.Attempt) -> [String] {
        var lines = attempt.failures.flatMap { self.lines(for: $0) }
        if attempt.failures.isEmpty {
            if let place = test.info.location { lines.append(style.apply(.cyan, to: place.text)) }
            if let argument = attempt.argument { lines.append(shown(argument)) }
        }
        let untold = attempt.issueCount - attempt.issues.count
        if untold > 0 { lines.append(wording.faint("and \(grouped(untold, "more issue"))")) }
        return lines
    }

    /// As far as a person may read it: it only names the case, and may be megabytes long. Reports in files have it whole.
    private func shown(_ argument: String) -> String {
        let text = TerminalText.onOneLine(argument)
        return "with \(TerminalText.truncated(text, to: Self.longestArgument, ellipsis: wording.ellipsis))"
    }

    /// Place and argument, then the whole text.
    func lines(for issue: TestIssue) -> [String] {
        var head: [String] = []
        if let location = issue.location { head.append(style.apply(.cyan, to: location.text)) }
        if let argument = issue.argument { head.append(shown(argument)) }
        let text = split(issue.text)
        return (head.isEmpty ? [] : [head.joined(separator: " ")]) + text
    }

    /// The last lines of some output behind a margin, after a line that says how much there was.
    func tail(of output: CappedOutput, title: String) -> [String] {
        let lines = output.lastLines(outputLines + 1)
        let isCut = output.dropped > 0 || lines.count > outputLines
        let head = isCut ? "\(title), the last \(outputLines) lines of \(sizeText(output.total)):" : "\(title):"
        return [wording.faint(head)]
            + lines.suffix(outputLines).map {
                "\(wording.margin) \(TerminalText.row($0, keepsColour: style.isColored))"
            }
    }

    /// Place, severity and message, then the excerpt as the compiler drew it.
    func lines(for diagnostic: BuildDiagnostic) -> [String] {
        let colour: TextStyle.Attribute =
            switch diagnostic.severity {
            case .error: .red
            case .warning: .yellow
            case .note: .cyan
            }
        let place = diagnostic.location.map { style.apply(.bold, to: $0.text + ":") + " " } ?? ""
        let severity = style.apply(colour, to: diagnostic.severity.rawValue + ":")
        var message = split(diagnostic.message)
        let first = message.isEmpty ? "" : message.removeFirst()
        return ["\(place)\(severity) \(style.apply(.bold, to: first))"]
            + (message + diagnostic.excerpt).map { "    " + $0 }
    }

    func split(_ text: String) -> [String] {
        TerminalText.harmless(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
