import Diagnostics
import LaneEvents

/// One remark on a line of a file, for services that show them beside the code.
struct Annotation {
    let isError: Bool
    let location: SourceLocation?
    let title: String
    let text: String

    /// Ranked: what explains the most comes first.
    static func all(of run: RunSummary) -> [Annotation] {
        var annotations = buildErrors(of: run)
        for rank in 0..<3 {
            for (_, test) in run.tests(where: { Annotation.rank(of: $0.outcome) == rank }) {
                annotations += failures(of: test)
            }
        }
        annotations += failuresOutsideOfTests(of: run)
        annotations += untold(of: run).map { [$0] } ?? []
        annotations += run.diagnostics.filter { $0.severity == .warning }.map(annotation)
        annotations += run.tests(where: \.isFlaky).map { flaky($0.test) }
        annotations += run.messages.filter { $0.level == .warning }.map(annotation)
        return annotations
    }

    /// What failed and no test tells: without it, a report of tests alone would be green.
    static func outsideOfTests(_ run: RunSummary) -> [Annotation] {
        let known = buildErrors(of: run) + failuresOutsideOfTests(of: run).filter(\.isError)
        return known + (untold(of: run).map { [$0] } ?? [])
    }

    /// The status of a run that failed without any failure that would explain it.
    static func untold(of run: RunSummary) -> Annotation? {
        guard let status = run.end?.status, status != 0, run.counts.unsuccessful == 0,
            buildErrors(of: run).isEmpty, !failuresOutsideOfTests(of: run).contains(where: \.isError)
        else { return nil }
        let text =
            status == ExitStatus.nothingRan.rawValue
            ? "no test ran" : "the run ended with exit status \(status) and told no failure"
        return Annotation(isError: true, location: nil, title: "run failed", text: text)
    }

    private static func buildErrors(of run: RunSummary) -> [Annotation] {
        run.diagnostics.filter { $0.severity == .error }.map(annotation)
    }

    /// Of tests' processes, of steps, and what `lane` itself calls an error.
    static func failuresOutsideOfTests(of run: RunSummary) -> [Annotation] {
        run.failuresOutsideOfTests.map(annotation) + run.messages.filter { $0.level == .error }.map(annotation)
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
            isError: diagnostic.severity == .error, location: diagnostic.location,
            title: "build \(diagnostic.severity.rawValue)", text: TerminalText.harmless(diagnostic.message))
    }

    private static func annotation(_ issue: TestIssue) -> Annotation {
        Annotation(
            isError: true, location: issue.location, title: "outside of tests", text: TerminalText.harmless(issue.text))
    }

    private static func annotation(_ message: Message) -> Annotation {
        Annotation(
            isError: message.level == .error, location: message.location, title: "lane",
            text: TerminalText.harmless(message.text))
    }

    private static func failures(of test: TestRecord) -> [Annotation] {
        guard let attempt = test.attempts.last, let outcome = attempt.outcome else { return [] }
        let title = TerminalText.harmless("\(test.id) \(outcome.word)")
        guard attempt.failures.count > 1 else {
            let argument = attempt.failures.first?.argument.map { TerminalText.harmless("with \($0): ") } ?? ""
            return [Annotation(isError: true, location: test.location, title: title, text: argument + attempt.message)]
        }
        return attempt.failures.map { issue in
            let argument = issue.argument.map { "with \($0): " } ?? ""
            return Annotation(
                isError: true, location: issue.location ?? test.location, title: title,
                text: TerminalText.harmless(argument + issue.text))
        }
    }

    private static func flaky(_ test: TestRecord) -> Annotation {
        let failure = test.attempts.lazy.flatMap(\.failures).first
        return Annotation(
            isError: false, location: failure?.location ?? test.info.location,
            title: TerminalText.harmless("\(test.id) is flaky"),
            text: TerminalText.harmless(failure?.text ?? "it passed only when it was tried again"))
    }

    /// Of a step whose tests or build have told already what went wrong there is nothing to add.
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
        let output = step.output.lastLines(5).map { TerminalText.row($0, keepsColour: false) }
        return Annotation(
            isError: !end.isForgiven, location: nil, title: "step '\(step.name)' failed",
            text: ([text] + output).joined(separator: "\n"))
    }

    /// Whether the step failed because something did not build.
    private static func isBuild(_ step: StepSummary, _ end: StepEnd) -> Bool {
        if case .failed(ExitStatus.buildFailed.rawValue, _) = end.outcome { return true }
        return step.start?.action == "build"
    }
}
