import LaneEvents

extension LaneEvent.Kind {
    /// Returns the event with secrets masked in every text that comes from an action or an error. Output of children, and
    /// what is parsed from it, has been masked before.
    func masked(by mask: SecretMask) -> LaneEvent.Kind {
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
        case .runStarted, .stepOutput, .buildProgress, .test, .runEnded: self
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
