package import Events

extension LaneEvent.Kind {
    /// Returns the event with masked secrets in texts from actions, tests and errors. Output of child processes is
    /// already masked. Names of tests are not masked, because they identify tests.
    package func masked(by mask: SecretMask) -> LaneEvent.Kind {
        guard !mask.isEmpty else { return self }
        switch self {
        case .stepStarted(var start):
            start.name = mask.masked(start.name)
            start.command = start.command.map(mask.masked)
            start.repeatCommand = start.repeatCommand.map(mask.masked)
            start.repeatFailedCommand = start.repeatFailedCommand.map(mask.masked)
            start.repeatTestsCommand = start.repeatTestsCommand.map(mask.masked)
            return .stepStarted(start)
        case .stepRetried(var retry):
            retry.reason = mask.masked(retry.reason)
            return .stepRetried(retry)
        case .stepEnded(var end):
            end.name = mask.masked(end.name)
            end.outcome = end.outcome.masked(by: mask)
            return .stepEnded(end)
        case .message(var message):
            message.text = mask.masked(message.text)
            return .message(message)
        case .buildDiagnostic(var diagnostic):
            diagnostic.message = mask.masked(diagnostic.message)
            diagnostic.excerpt = diagnostic.excerpt.map(mask.masked)
            return .buildDiagnostic(diagnostic)
        case .artifact(var artifact):
            artifact.path = mask.masked(artifact.path)
            return .artifact(artifact)
        case .test(let event): return .test(event.masked(by: mask))
        case .runStarted, .stepOutput, .buildProgress, .coverage, .runEnded: return self
        }
    }
}

extension TestEvent {
    fileprivate func masked(by mask: SecretMask) -> TestEvent {
        switch self {
        case .argumentStarted(let test, let argument): return .argumentStarted(test, mask.masked(argument))
        case .issue(var issue):
            issue.text = mask.masked(issue.text)
            issue.argument = issue.argument.map(mask.masked)
            issue.source = issue.source.map(mask.masked)
            return .issue(issue)
        case .ended(var result):
            result.outcome = result.outcome.masked(by: mask)
            return .ended(result)
        case .sharded, .planned, .started, .attached, .output, .slow, .counted, .totals, .finished, .origin:
            return self
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
