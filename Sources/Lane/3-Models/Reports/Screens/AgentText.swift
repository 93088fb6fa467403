import Events
import Text

/// The failures of a run in a compact form.
///
/// A heading contains a path, and the module and suite unless the path names them. Each failure below it is a line:
/// `line test: text`. Continuation lines of a text are indented by a space. A line without a test belongs to the one
/// before it.
struct AgentText {
    private(set) var text = ""
    /// The path and suite of the current group.
    private var heading = ""

    /// The maximum number of bytes of one failure's text. The log contains the rest.
    private let textLimit: Int

    /// The range of `textLimit`, and the number of bytes that all texts share.
    private static let textLimits = 120...1500
    private static let allTexts = 6000
    /// The maximum number of lines of output for a test that crashed without a message.
    private static let outputLines = 10
    /// The maximum number of names in a list of tests that did not run.
    private static let notRunLimit = 10

    init(for run: RunSummary) {
        let issues = run.tests { $0.outcome?.isFailure == true }.reduce(0) {
            $0 + max(1, $1.test.attempts.last?.failures.count ?? 0)
        }
        let failures = issues + run.diagnostics.count { $0.severity == .error }
        textLimit = min(max(Self.allTexts / max(1, failures), Self.textLimits.lowerBound), Self.textLimits.upperBound)
    }

    mutating func add(_ line: String) {
        text += TerminalText.sanitized(line) + "\n"
    }

    /// Writes the heading of a file, unless its group is the current one.
    private mutating func begin(_ group: String, in path: String) {
        guard group != heading else { return }
        let isSameFile = !path.isEmpty && (heading == path || heading.hasPrefix(path + " "))
        heading = group
        if !group.isEmpty { add(isSameFile ? String(group.dropFirst(path.count + 1)) : group) }
    }

    /// Adds a text, with its continuation lines indented.
    private mutating func add(_ head: String, _ body: String) {
        let lines = shortened(body).split(separator: "\n").map(String.init)
        add(head + (lines.first ?? ""))
        for line in lines.dropFirst() { add(" " + line) }
    }

    mutating func addBuildErrors(of run: RunSummary) {
        let errors = run.diagnostics.filter(\.isErrorOrAdvice)
        var files: [(path: String, errors: [BuildDiagnostic])] = []
        for error in errors {
            let path = error.location?.path ?? ""
            if let index = files.firstIndex(where: { $0.path == path }) {
                files[index].errors.append(error)
            } else {
                files.append((path, [error]))
            }
        }
        for file in files {
            begin(file.path, in: file.path)
            for error in file.errors {
                let place = error.location.map { at in at.column.map { "\(at.line):\($0) " } ?? "\(at.line) " }
                // The excerpt shows the source. Without a location, it is all that there is.
                let excerpt = place == nil ? error.excerpt : []
                add(place ?? "\(error.severity.rawValue): ", ([error.message] + excerpt).joined(separator: "\n"))
            }
        }
    }

    mutating func addTests(of run: RunSummary) {
        let failed = run.tests { $0.outcome?.isFailure == true }.map(\.test)
        for file in FailedFile.files(of: failed) {
            // A name continues the start above it, so tests without one come first.
            for (start, tests) in file.groups.filter({ $0.start.isEmpty }) + file.groups.filter({ !$0.start.isEmpty }) {
                begin([file.path, start].filter { !$0.isEmpty }.joined(separator: " "), in: file.path)
                for (test, others) in tests { add(test, others) }
            }
        }
        addNotRun(run)
    }

    private mutating func add(_ test: TestRecord, _ others: [TestRecord]) {
        guard let attempt = test.attempts.last else { return }
        let texts = texts(of: test, attempt)
        let name = Self.withoutParentheses(test.id.name)
        let result = attempt.outcome.flatMap { Self.ending($0, texts[0].text) } ?? ""
        let ending = result.isEmpty || texts[0].text.isEmpty ? result : "\(result): "
        let head = "\(texts[0].place.isEmpty ? "" : texts[0].place + " ")\(name)"
        add(ending.isEmpty && texts[0].text.isEmpty ? head : "\(head): \(ending)", texts[0].text)
        for (place, text) in texts.dropFirst() { add("\(place.isEmpty ? "-" : place): ", text) }
        let omitted = attempt.issueCount - attempt.issues.count
        if omitted > 0 { add(" and \(count(omitted, "more issue"))") }
        for path in attempt.attachments { add(" attached: \(TerminalText.onOneLine(path))") }
        if !others.isEmpty { add(" same: " + others.map { Self.name(of: $0, besides: test) }.joined(separator: " ")) }
    }

    /// Returns the texts of a failed attempt, at least one, each with its line, or with its path in another file.
    private func texts(
        of test: TestRecord, _ attempt: TestRecord.Attempt
    ) -> [(place: String, text: String)] {
        let path = test.location?.path
        func place(_ location: SourceLocation?) -> String {
            guard let location = location ?? test.info.location else { return "" }
            return location.path == path ? "\(location.line)" : "\(location.path):\(location.line)"
        }
        let texts = attempt.failures.map { issue in
            (place(issue.location), Self.text(of: issue, argument: issue.argument.map(shortened)))
        }
        guard texts.isEmpty else { return texts }
        let argument = attempt.argument.map { "with \(shortened($0))" }
        let output = attempt.output?.lastLines(Self.outputLines).map { TerminalText.row($0, keepsColor: false) } ?? []
        let text = ([argument].compactMap(\.self) + output).joined(separator: "\n")
        return [(place(nil), text.isEmpty && attempt.outcome == .failed ? attempt.message : text)]
    }

    /// Adds the tests that never started, by reason.
    private mutating func addNotRun(_ run: RunSummary) {
        var reasons: [(reason: String, tests: [TestID])] = []
        for (_, test) in run.tests(where: { if case .notRun = $0.outcome { true } else { false } }) {
            guard case .notRun(let reason) = test.outcome else { continue }
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].tests.append(test.id)
            } else {
                reasons.append((reason, [test.id]))
            }
        }
        for (reason, tests) in reasons {
            let names = tests.prefix(Self.notRunLimit).map { Self.withoutParentheses($0.description) }
            let rest = tests.count - names.count
            add(
                "not run\(BriefText.reason(reason)): \(names.joined(separator: " "))"
                    + (rest > 0 ? " and \(rest) more" : ""))
        }
    }

    /// Adds the failures outside any test, and the tests that passed only when they were retried.
    mutating func addOtherFailures(of run: RunSummary) {
        let failures =
            Annotation.failuresOutsideTests(of: run) + [Annotation.unexplainedFailure(of: run)].compactMap(\.self)
        for failure in failures {
            let place = failure.location.map { "\($0.text): " } ?? ""
            add(failure.rule == .step ? "\(failure.title): " : place, failure.text)
        }
        for (_, test) in run.tests(where: \.isFlaky) {
            let failure = test.attempts.lazy.flatMap(\.failures).first
            let place = (failure?.location ?? test.info.location).map { "\($0.path):\($0.line) " } ?? ""
            add("flaky: \(place)\(TerminalText.onOneLine(test.id.description)): ", BriefText(failure?.text ?? "").text)
        }
    }

    /// Returns the name of a test in a list after another test.
    private static func name(of test: TestRecord, besides other: TestRecord) -> String {
        withoutParentheses(SuiteID(test.id) == SuiteID(other.id) ? test.id.name : test.id.description)
    }

    /// Returns the name of a test without the parentheses of a function without parameters.
    private static func withoutParentheses(_ name: String) -> String {
        TerminalText.onOneLine(name.hasSuffix("()") ? String(name.dropLast(2)) : name)
    }

    /// Returns the result of a test that ended without a failed assertion.
    private static func ending(_ outcome: TestResult.Outcome, _ text: String) -> String? {
        switch outcome {
        case .crashed(let how): BriefText.crash(how, text: text)
        case .timedOut(let limit): "timed out after \(limit.text)"
        case .passed, .failed, .skipped, .notRun: nil
        }
    }

    /// Returns the text of an issue after the arguments of its test, unless it contains them.
    private static func text(of issue: TestIssue, argument: String?) -> String {
        let text = brief(issue.text)
        let arguments = argument.map { BriefText.arguments($0, besides: text) } ?? ""
        return arguments.isEmpty ? text : "\(arguments): \(text)"
    }

    /// Returns a text in the shorter of two forms, one of which has the difference of two values in their place.
    private static func brief(_ text: String) -> String {
        let brief = BriefText(text).text
        let explanation = IssueExplanation(text)
        guard explanation.hasDifference else { return brief }
        let difference = explanation.plainLines(marksWords: false).joined(separator: "\n")
        return difference.utf8.count < brief.utf8.count ? difference : brief
    }

    /// Returns a text with the number of its omitted bytes, if it is long.
    private func shortened(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        let kept = String(decoding: Array(text.utf8.prefix(textLimit)), as: UTF8.self)
        return "\(kept)… (\(text.utf8.count - textLimit) more bytes)"
    }
}
