import Text

/// An error in a line of the event log.
package struct EventLineError: Error, Sendable, Equatable {
    /// The expected and the found value, in lowercase.
    package let message: String
}

/// A decoder of the lines of `EventLineEncoder`, which documents the grammar.
package enum EventLineDecoder {
    /// Returns the event in a line, or `nil` for an unknown event of a later version.
    package static func decode(_ line: [UInt8]) throws(EventLineError) -> LaneEvent? {
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONParser.parse(line)
        } catch {
            throw EventLineError(message: "\(error.message) at byte \(error.offset)")
        }
        let fields = EventFields(node: node)
        guard let kind = try kind(fields) else { return nil }
        return LaneEvent(
            number: try fields.integer("number", upTo: .max), offset: try fields.duration("at"),
            step: try fields.optionalString("step").map { StepID($0) }, kind: kind)
    }

    private static func kind(_ fields: EventFields) throws(EventLineError) -> LaneEvent.Kind? {
        switch try fields.string("event") {
        case "runStarted": .runStarted(try runStart(fields))
        case "stepStarted": .stepStarted(try stepStart(fields))
        case "stepOutput": .stepOutput(OutputChunk(stream: try fields.word("stream"), bytes: try fields.bytes()))
        case "stepRetried": .stepRetried(try stepRetry(fields))
        case "stepEnded": .stepEnded(try stepEnd(fields))
        case "buildProgress":
            .buildProgress(
                BuildProgress(
                    finished: try fields.integer("finished"), total: try fields.integer("total"),
                    text: try fields.string("text")))
        case "buildDiagnostic":
            .buildDiagnostic(
                BuildDiagnostic(
                    try fields.word("severity"), try fields.string("message"), at: try fields.location(),
                    excerpt: try fields.strings("excerpt")))
        case "message":
            .message(Message(try fields.word("level"), try fields.string("text"), at: try fields.location()))
        case "artifact":
            .artifact(
                Artifact(
                    path: try fields.string("path"), size: try fields.integer("size", upTo: .max),
                    sha256: try fields.optionalString("sha256")))
        case "coverage": .coverage(try fields.shardCoverage())
        case "runEnded":
            .runEnded(RunEnd(status: try fields.status("status"), duration: try fields.duration("duration")))
        case let word: try testEvent(word, fields).map { .test($0) }
        }
    }

    private static func runStart(_ fields: EventFields) throws(EventLineError) -> RunStart {
        let version = try fields.integer("version")
        guard version == EventLineEncoder.version else {
            throw EventLineError(message: "expected version \(EventLineEncoder.version), found \(version)")
        }
        var steps: [StepSummary] = []
        for step in try fields.objects("steps") {
            steps.append(StepSummary(id: StepID(try step.string("id")), name: try step.string("name")))
        }
        return RunStart(lane: try fields.string("lane"), steps: steps, startedAt: try fields.time("startedAt"))
    }

    private static func stepStart(_ fields: EventFields) throws(EventLineError) -> StepStart {
        StepStart(
            name: try fields.string("name"), action: try fields.string("action"),
            command: try fields.optionalString("command"), repeatCommand: try fields.optionalString("repeat"),
            repeatFailedCommand: try fields.optionalString("repeatFailed"),
            repeatTestsCommand: try fields.optionalString("repeatTests"), log: try fields.optionalString("log"))
    }

    private static func stepRetry(_ fields: EventFields) throws(EventLineError) -> StepRetry {
        StepRetry(
            attempt: try fields.integer("attempt"), attempts: try fields.integer("attempts"),
            reason: try fields.string("reason"), delay: try fields.duration("delay"))
    }

    private static func stepEnd(_ fields: EventFields) throws(EventLineError) -> StepEnd {
        let outcome: StepEnd.Outcome =
            switch try fields.string("outcome") {
            case "passed": .passed
            case "upToDate": .upToDate
            case "cancelled": .cancelled
            case "failed": .failed(status: try fields.status("status"), message: try fields.string("message"))
            case "skipped": .skipped(reason: try fields.string("reason"))
            case "timedOut": .timedOut(after: try fields.duration("after"))
            case let word: throw EventLineError(message: "unknown outcome '\(word)'")
            }
        return StepEnd(
            name: try fields.string("name"), outcome: outcome, duration: try fields.duration("duration"),
            isForgiven: fields.flag("forgiven"))
    }

    private static func testEvent(_ word: String, _ fields: EventFields) throws(EventLineError) -> TestEvent? {
        switch word {
        case "testsSharded":
            .sharded(
                TestShard(
                    index: try fields.integer("index"), count: try fields.integer("count", upTo: 100_000),
                    total: try fields.integer("total"), digest: try fields.string("digest")))
        case "testsPlanned": .planned(try fields.plannedTests())
        case "testStarted":
            .started(
                try fields.test(), attempt: try fields.integer("attempt"), worker: try fields.integer("worker"))
        case "testArgument": .argumentStarted(try fields.test(), try fields.string("argument"))
        case "testIssue":
            .issue(
                TestIssue(
                    test: try fields.optionalTest(), severity: try fields.word("severity"),
                    text: try fields.string("text"), at: try fields.location(),
                    argument: try fields.optionalString("argument"), source: try fields.strings("source")))
        case "testAttachment": .attached(try fields.test(), path: try fields.string("path"))
        case "testOutput": .output(try fields.optionalTest(), try fields.bytes())
        case "testSlow": .slow(try fields.test(), after: try fields.duration("after"))
        case "testEnded": .ended(try fields.testResult())
        case "testsCounted": .counted(try fields.countedTests())
        case "testTotals": .totals(try fields.runTotals())
        case "testsFinished": .finished
        case "testsOrigin":
            .origin(
                TestOrigin(
                    commit: try fields.optionalString("commit"), isModified: fields.flag("modified"),
                    machine: try fields.string("machine")))
        default: nil
        }
    }
}
