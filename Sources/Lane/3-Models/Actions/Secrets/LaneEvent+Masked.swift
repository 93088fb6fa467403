package import Events

extension LaneEvent.Kind {
    /// Returns the event with masked secrets in texts from actions, tests and errors. Output of child processes is
    /// already masked. Names of tests are not masked, because they identify tests.
    package func masked(by mask: SecretMask) -> LaneEvent.Kind {
        switch self {
        case .stepStarted(let start):
            .stepStarted(
                StepStart(
                    name: mask.masked(start.name), action: start.action, command: start.command.map(mask.masked),
                    repeatCommand: start.repeatCommand.map(mask.masked),
                    repeatFailedCommand: start.repeatFailedCommand.map(mask.masked),
                    repeatTestsCommand: start.repeatTestsCommand.map(mask.masked), log: start.log))
        case .stepRetried(let retry):
            .stepRetried(
                StepRetry(
                    attempt: retry.attempt, attempts: retry.attempts, reason: mask.masked(retry.reason),
                    delay: retry.delay))
        case .stepEnded(let end):
            .stepEnded(
                StepEnd(
                    name: mask.masked(end.name), outcome: end.outcome.masked(by: mask), duration: end.duration,
                    isForgiven: end.isForgiven))
        case .message(let message):
            .message(Message(message.level, mask.masked(message.text), at: message.location))
        case .buildDiagnostic(let diagnostic):
            .buildDiagnostic(
                BuildDiagnostic(
                    diagnostic.severity, mask.masked(diagnostic.message), at: diagnostic.location,
                    excerpt: diagnostic.excerpt.map(mask.masked)))
        case .artifact(let artifact):
            .artifact(Artifact(path: mask.masked(artifact.path), size: artifact.size, sha256: artifact.sha256))
        case .test(let event): .test(event.masked(by: mask))
        case .runStarted, .stepOutput, .buildProgress, .coverage, .runEnded: self
        }
    }
}

extension TestEvent {
    fileprivate func masked(by mask: SecretMask) -> TestEvent {
        switch self {
        case .argumentStarted(let test, let argument): .argumentStarted(test, mask.masked(argument))
        case .issue(let issue):
            .issue(
                TestIssue(
                    test: issue.test, severity: issue.severity, text: mask.masked(issue.text), at: issue.location,
                    argument: issue.argument.map(mask.masked), source: issue.source.map(mask.masked)))
        case .ended(let result):
            .ended(
                TestResult(
                    test: result.test, outcome: result.outcome.masked(by: mask), duration: result.duration,
                    attempt: result.attempt))
        case .sharded, .planned, .started, .attached, .output, .slow, .counted, .totals, .finished: self
        }
    }
}

extension TestResult.Outcome {
    fileprivate func masked(by mask: SecretMask) -> TestResult.Outcome {
        switch self {
        case .skipped(let reason): .skipped(reason: reason.map(mask.masked))
        case .crashed(let how): .crashed(how: mask.masked(how))
        case .notRun(let reason): .notRun(reason: mask.masked(reason))
        case .passed, .failed, .timedOut: self
        }
    }
}

extension StepEnd.Outcome {
    fileprivate func masked(by mask: SecretMask) -> StepEnd.Outcome {
        switch self {
        case .failed(let status, let message): .failed(status: status, message: mask.masked(message))
        case .skipped(let reason): .skipped(reason: mask.masked(reason))
        case .passed, .upToDate, .timedOut, .cancelled: self
        }
    }
}
