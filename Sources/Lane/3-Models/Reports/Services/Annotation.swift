import Events
import Text

/// An annotation of a line of code for CI services.
struct Annotation {
    /// The kind of an annotation, for services that group or filter by it.
    enum Rule: String, CaseIterable {
        case build, testFailed, testCrashed, testTimedOut, testNotRun, testFlaky, outsideTests, step, run, message

        /// A description in one sentence.
        var summary: String {
            switch self {
            case .build: "A compiler, linker or linter reported a diagnostic."
            case .testFailed: "A test failed."
            case .testCrashed: "A test crashed."
            case .testTimedOut: "A test timed out."
            case .testNotRun: "A test did not run."
            case .testFlaky: "A test failed and passed when it was retried."
            case .outsideTests: "A failure occurred outside any test."
            case .step: "A step of the lane failed."
            case .run: "The run failed without a reported failure."
            case .message: "The lane tool reported a message."
            }
        }
    }

    let rule: Rule
    let isError: Bool
    let location: SourceLocation?
    let title: String
    let text: String
    /// The paths of the files that the test attached.
    var attachments: [String] = []

    /// Returns the annotations, most significant first.
    static func all(of run: RunSummary) -> [Annotation] {
        var annotations = buildErrors(of: run)
        for rank in 0..<3 {
            for (_, test) in run.tests(where: { Annotation.rank(of: $0.outcome) == rank }) {
                annotations += failures(of: test)
            }
        }
        annotations += failuresOutsideTests(of: run)
        annotations += unexplainedFailure(of: run).map { [$0] } ?? []
        annotations += run.diagnostics.filter { $0.severity == .warning }.map(annotation)
        annotations += run.tests(where: \.isFlaky).map { flaky($0.test) }
        annotations += run.messages.filter { $0.level == .warning }.map(annotation)
        return annotations
    }

    /// Returns the errors outside any test, which make the run fail.
    static func errorsOutsideTests(of run: RunSummary) -> [Annotation] {
        let known = buildErrors(of: run) + failuresOutsideTests(of: run).filter(\.isError)
        return known + (unexplainedFailure(of: run).map { [$0] } ?? [])
    }

    /// Returns an annotation for a failed run that reported no failure.
    static func unexplainedFailure(of run: RunSummary) -> Annotation? {
        guard let status = run.end?.status, status != 0, run.counts.unsuccessful == 0,
            buildErrors(of: run).isEmpty, !failuresOutsideTests(of: run).contains(where: \.isError)
        else { return nil }
        let text =
            status == ExitStatus.nothingRan.rawValue
            ? "no test ran" : "the run failed with exit status \(status) but reported no failure"
        return Annotation(rule: .run, isError: true, location: nil, title: "run failed", text: text)
    }

    private static func buildErrors(of run: RunSummary) -> [Annotation] {
        run.diagnostics.filter { $0.severity == .error }.map(annotation)
    }

    /// Returns the failures of test processes and steps, and the errors of `lane`.
    static func failuresOutsideTests(of run: RunSummary) -> [Annotation] {
        run.failuresOutsideTests.map(annotation) + run.messages.filter { $0.level == .error }.map(annotation)
            + run.steps.compactMap { failure(of: $0, run) }
    }

    private static func rank(of outcome: TestResult.Outcome?) -> Int? {
        switch outcome {
        case .crashed, .timedOut: 0
        case .failed: 1
        case .notRun: 2
        default: nil
        }
    }

    private static func annotation(_ diagnostic: BuildDiagnostic) -> Annotation {
        Annotation(
            rule: .build, isError: diagnostic.severity == .error, location: diagnostic.location,
            title: "build \(diagnostic.severity.rawValue)", text: TerminalText.sanitized(diagnostic.message))
    }

    private static func annotation(_ issue: TestIssue) -> Annotation {
        Annotation(
            rule: .outsideTests, isError: true, location: issue.location, title: "outside any test",
            text: TerminalText.sanitized(issue.text)
        )
    }

    private static func annotation(_ message: Message) -> Annotation {
        Annotation(
            rule: .message, isError: message.level == .error, location: message.location, title: "lane",
            text: TerminalText.sanitized(message.text))
    }

    private static func failures(of test: TestRecord) -> [Annotation] {
        guard let attempt = test.attempts.last, let outcome = attempt.outcome else { return [] }
        let title = TerminalText.sanitized("\(test.id) \(outcome.word)")
        guard attempt.failures.count > 1 else {
            let argument = attempt.failures.first?.argument.map { TerminalText.sanitized("with \($0): ") } ?? ""
            return [
                Annotation(
                    rule: outcome.rule, isError: true, location: test.location, title: title,
                    text: argument + attempt.message, attachments: attempt.attachments)
            ]
        }
        return attempt.failures.map { issue in
            let argument = issue.argument.map { "with \($0): " } ?? ""
            return Annotation(
                rule: outcome.rule, isError: true, location: issue.location ?? test.location, title: title,
                text: TerminalText.sanitized(argument + issue.text), attachments: attempt.attachments)
        }
    }

    private static func flaky(_ test: TestRecord) -> Annotation {
        let failure = test.attempts.lazy.flatMap(\.failures).first
        return Annotation(
            rule: .testFlaky, isError: false, location: failure?.location ?? test.info.location,
            title: TerminalText.sanitized("\(test.id) is flaky"),
            text: TerminalText.sanitized(failure?.text ?? "it passed only when it was retried"))
    }

    /// Returns an annotation for a failed step, unless its tests or its build have reported a failure.
    static func failure(of step: StepSummary, _ run: RunSummary) -> Annotation? {
        guard let end = step.end, end.outcome.isFailure, end.outcome != .cancelled else { return nil }
        if let tests = run.tests(of: step.id), tests.counts.unsuccessful > 0 { return nil }
        if isBuild(step, end), run.diagnostics.contains(where: { $0.severity == .error }) { return nil }
        let text: String =
            switch end.outcome {
            case .failed(_, let message): message
            case .timedOut(let limit): "timed out after \(limit.text)"
            default: "failed"
            }
        let output = step.output.lastLines(5).map { TerminalText.row($0, keepsColor: false) }
        return Annotation(
            rule: .step, isError: !end.isForgiven, location: nil, title: "step \(inQuotes(step.name)) failed",
            text: ([text] + output).joined(separator: "\n"))
    }

    /// Returns a Boolean value that indicates whether the step failed because of a build.
    private static func isBuild(_ step: StepSummary, _ end: StepEnd) -> Bool {
        if case .failed(ExitStatus.buildFailed.rawValue, _) = end.outcome { return true }
        return step.start?.action == "build"
    }
}

extension TestResult.Outcome {
    /// The rule of an unsuccessful outcome.
    fileprivate var rule: Annotation.Rule {
        switch self {
        case .crashed: .testCrashed
        case .timedOut: .testTimedOut
        case .notRun: .testNotRun
        case .failed, .passed, .skipped: .testFailed
        }
    }
}
