import Text

extension LaneEvent.Kind {
    var word: String {
        switch self {
        case .runStarted: "runStarted"
        case .stepStarted: "stepStarted"
        case .stepOutput: "stepOutput"
        case .stepRetried: "stepRetried"
        case .stepEnded: "stepEnded"
        case .buildProgress: "buildProgress"
        case .buildDiagnostic: "buildDiagnostic"
        case .test(let event): event.word
        case .message: "message"
        case .artifact: "artifact"
        case .coverage: "coverage"
        case .runEnded: "runEnded"
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .runStarted(let start): start.write(to: &writer)
        case .stepStarted(let start): start.write(to: &writer)
        case .stepOutput(let chunk):
            writer.member("stream", chunk.stream.rawValue)
            writer.output(chunk.bytes)
        case .stepRetried(let retry):
            writer.member("attempt", retry.attempt)
            writer.member("attempts", retry.attempts)
            writer.member("reason", retry.reason)
            writer.member("delay", retry.delay)
        case .stepEnded(let end): end.write(to: &writer)
        case .buildProgress(let progress):
            writer.member("finished", progress.finished)
            writer.member("total", progress.total)
            writer.member("text", progress.text)
        case .buildDiagnostic(let diagnostic):
            writer.member("severity", diagnostic.severity.rawValue)
            writer.member("message", diagnostic.message)
            writer.optional("location", diagnostic.location)
            if !diagnostic.excerpt.isEmpty { writer.member("excerpt", diagnostic.excerpt) }
        case .test(let event): event.write(to: &writer)
        case .message(let message):
            writer.member("level", message.level.rawValue)
            writer.member("text", message.text)
            writer.optional("location", message.location)
        case .artifact(let artifact):
            writer.member("path", artifact.path)
            writer.member("size", artifact.size)
            writer.optional("sha256", artifact.sha256)
        case .coverage(let coverage): coverage.write(to: &writer)
        case .runEnded(let end):
            writer.member("status", Int(end.status))
            writer.member("duration", end.duration)
        }
    }
}

extension RunStart {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("version", EventLineEncoder.version)
        writer.member("lane", lane)
        writer.member("startedAt", startedAt)
        writer.array("steps") { writer in
            for step in steps {
                writer.object { writer in
                    writer.member("id", step.id.description)
                    writer.member("name", step.name)
                }
            }
        }
    }
}

extension StepStart {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("action", action)
        writer.optional("command", command)
        writer.optional("repeat", repeatCommand)
        writer.optional("repeatFailed", repeatFailedCommand)
        writer.optional("repeatTests", repeatTestsCommand)
        writer.optional("log", log)
    }
}

extension StepEnd {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("duration", duration)
        if isForgiven { writer.member("forgiven", true) }
        switch outcome {
        case .passed: writer.member("outcome", "passed")
        case .upToDate: writer.member("outcome", "upToDate")
        case .cancelled: writer.member("outcome", "cancelled")
        case .failed(let status, let message):
            writer.member("outcome", "failed")
            writer.member("status", Int(status))
            writer.member("message", message)
        case .skipped(let reason):
            writer.member("outcome", "skipped")
            writer.member("reason", reason)
        case .timedOut(let limit):
            writer.member("outcome", "timedOut")
            writer.member("after", limit)
        }
    }
}
