package import Events
import Text

/// A report as service messages of TeamCity: attempts at tests, build problems, artifacts.
///
/// The messages of an attempt are written together when it ends, so that messages of concurrent tests do not mix.
/// TeamCity detects flaky tests itself.
package final class TeamCityReport: Report {
    private let write: Sink
    private var reportedDiagnostics = 0

    package init(write: @escaping Sink) {
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        let messages: [String] =
            switch event.kind {
            case .runStarted: [message("testRetrySupport", [("enabled", "true")])]
            case .test(.issue(let issue)) where issue.test == nil && issue.severity == .failure:
                [problem("\(issue.location.map { "\($0.text): " } ?? "")\(issue.text)")]
            case .message(let message) where message.level == .error: [problem(message.text)]
            case .runEnded: Annotation.unexplainedFailure(of: run).map { [problem($0.text)] } ?? []
            case .test(.ended(let result)): messages(for: result, run.tests(of: event.step)?[result.test])
            case .buildDiagnostic(let diagnostic): self.messages(for: diagnostic, run)
            case .stepEnded: problem(of: run.step(event.step), run)
            case .artifact(let artifact): ["##teamcity[publishArtifacts '\(Escaping.teamCity(artifact.path))']"]
            default: []
            }
        if !messages.isEmpty { write(Array(messages.map { $0 + "\n" }.joined().utf8)) }
    }

    private func messages(for result: TestResult, _ record: TestRecord?) -> [String] {
        let name = ("name", "\(SuiteID(result.test).title).\(result.test.name)")
        let attempt = record?.attempts.last
        var messages = [message("testStarted", [name])]
        if let output = attempt?.output, !output.isBlank {
            messages.append(message("testStdOut", [name, ("out", TerminalText.sanitized(output.text))]))
        }
        switch result.outcome {
        case .passed: break
        case .skipped(let reason): messages.append(message("testIgnored", [name, ("message", reason ?? "skipped")]))
        case .failed, .crashed, .timedOut, .notRun:
            let text = [("message", attempt?.message ?? result.outcome.word), ("details", attempt?.details ?? "")]
            messages.append(message("testFailed", [name] + text))
        }
        for path in attempt?.attachments ?? [] {
            messages += [
                "##teamcity[publishArtifacts '\(Escaping.teamCity(path))']",
                message("testMetadata", [name].map { ("testName", $0.1) } + [("type", "artifact"), ("value", path)]),
            ]
        }
        let duration = result.duration.map { [("duration", "\($0.milliseconds)")] } ?? []
        return messages + [message("testFinished", [name] + duration)]
    }

    private func messages(for diagnostic: BuildDiagnostic, _ run: RunSummary) -> [String] {
        guard run.diagnostics.count > reportedDiagnostics else { return [] }
        reportedDiagnostics = run.diagnostics.count
        let place = diagnostic.location.map { "\($0.text): " } ?? ""
        let text = TerminalText.sanitized("\(place)\(diagnostic.severity.rawValue): \(diagnostic.message)")
        switch diagnostic.severity {
        case .error: return [problem(text)]
        case .warning: return [message("message", [("text", text), ("status", "WARNING")])]
        case .note: return []
        }
    }

    private func problem(of step: StepSummary?, _ run: RunSummary) -> [String] {
        guard let step, step.end?.isForgiven == false, let failure = Annotation.failure(of: step, run) else {
            return []
        }
        return [problem("\(failure.title): \(failure.text)")]
    }

    private func problem(_ text: String) -> String {
        message("buildProblem", [("description", TerminalText.sanitized(text))])
    }

    private func message(_ name: String, _ attributes: [(String, String)]) -> String {
        let list = attributes.map { " \($0.0)='\(Escaping.teamCity($0.1))'" }.joined()
        return "##teamcity[\(name)\(list)]"
    }
}
