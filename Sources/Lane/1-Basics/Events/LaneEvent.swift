/// An event of a run, sent by the runner and received by reports.
///
/// `runStarted` is the first event and `runEnded` the last. The events of a step are between its `stepStarted` and
/// `stepEnded`. The events of concurrent steps interleave. A skipped step has only a `stepEnded`.
package struct LaneEvent: Sendable, Equatable {
    /// The number of the event, starting at 1, without gaps.
    package let number: Int
    /// The time since the start of the run on the monotonic clock.
    package let offset: Duration
    /// The step of the event, or `nil` for events of the run as a whole.
    package let step: StepID?
    /// The kind of the event with its data.
    package var kind: Kind

    package enum Kind: Sendable, Equatable {
        case runStarted(RunStart)
        case stepStarted(StepStart)
        case stepOutput(OutputChunk)
        /// A failed attempt after which the step is retried.
        case stepRetried(StepRetry)
        case stepEnded(StepEnd)
        case buildProgress(BuildProgress)
        case buildDiagnostic(BuildDiagnostic)
        case test(TestEvent)
        case message(Message)
        case artifact(Artifact)
        /// The coverage of a shard, or that of all shards in the events of a merged run.
        case coverage(ShardCoverage)
        case runEnded(RunEnd)
    }

    package init(number: Int, offset: Duration, step: StepID?, kind: Kind) {
        self.number = number
        self.offset = offset
        self.step = step
        self.kind = kind
    }
}

/// The identifier of a step in a plan, such as `release/test/2`: the names of lanes, then the step's `id` or its
/// number, starting at 1.
package struct StepID: Hashable, Sendable, CustomStringConvertible {
    /// The path with components separated by `/`.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The start of a run and its planned steps.
package struct RunStart: Sendable, Equatable {
    /// The name of the requested lane.
    package let lane: String
    /// The steps of the plan before their first events, in order.
    package let steps: [StepSummary]
    /// The start time in seconds since 1970.
    package let startedAt: Double

    package init(lane: String, steps: [StepSummary], startedAt: Double) {
        self.lane = lane
        self.steps = steps
        self.startedAt = startedAt
    }
}

/// The start of a step.
package struct StepStart: Sendable, Equatable {
    /// The name for the output, with masked secrets.
    package var name: String
    /// The name of the action in lane files: `run`, `test`, `bump`.
    package let action: String
    /// The command line, for steps that run a command.
    package var command: String?
    /// The command that runs only this step again, such as `lane ci --step ci/test-2`.
    package var repeatCommand: String?
    /// The command that runs only the failed tests of this step again, if the step runs tests.
    package var repeatFailedCommand: String?
    /// The command that runs some tests of this step. The caller appends `--filter` and a name for each test.
    package var repeatTestsCommand: String?
    /// The path of the step's log, relative to the package's root.
    package var log: String?

    package init(
        name: String, action: String, command: String? = nil, repeatCommand: String? = nil,
        repeatFailedCommand: String? = nil, repeatTestsCommand: String? = nil, log: String? = nil
    ) {
        self.name = name
        self.action = action
        self.command = command
        self.repeatCommand = repeatCommand
        self.repeatFailedCommand = repeatFailedCommand
        self.repeatTestsCommand = repeatTestsCommand
        self.log = log
    }
}

/// Bytes that a child process printed, with masked secrets. A chunk can end within a character and need not be UTF-8.
package struct OutputChunk: Sendable, Equatable {
    /// The stream of the child process.
    package enum Stream: String, Sendable {
        case standardOutput = "stdout"
        case standardError = "stderr"
    }

    package let stream: Stream
    package let bytes: [UInt8]

    package init(stream: Stream, bytes: [UInt8]) {
        self.stream = stream
        self.bytes = bytes
    }
}

/// A failed attempt at a step that is retried.
package struct StepRetry: Sendable, Equatable {
    /// The number of the failed attempt, from 1.
    package let attempt: Int
    /// The maximum number of attempts.
    package let attempts: Int
    /// The reason for the failure in one line.
    package var reason: String
    /// The time until the next attempt.
    package let delay: Duration

    package init(attempt: Int, attempts: Int, reason: String, delay: Duration) {
        self.attempt = attempt
        self.attempts = attempts
        self.reason = reason
        self.delay = delay
    }
}

/// The end of a step.
package struct StepEnd: Sendable, Equatable {
    /// The result of a step.
    package enum Outcome: Sendable, Equatable {
        case passed
        /// The exit status, and a message that can contain several lines.
        case failed(status: Int32, message: String)
        /// The reason for skipping the step.
        case skipped(reason: String)
        case upToDate
        case timedOut(after: Duration)
        /// The step was stopped because the run was cancelled or another step failed.
        case cancelled
    }

    /// The name for the output, with masked secrets.
    package var name: String
    /// The result of the last attempt.
    package var outcome: Outcome
    /// The time from start to end, including all attempts and the delays between them.
    package let duration: Duration
    /// A Boolean value that indicates whether a failure of the step does not fail the run.
    package let isForgiven: Bool

    package init(name: String, outcome: Outcome, duration: Duration, isForgiven: Bool = false) {
        self.name = name
        self.outcome = outcome
        self.duration = duration
        self.isForgiven = isForgiven
    }
}

/// A message from `lane`.
package struct Message: Sendable, Equatable {
    /// The severity of a message, which does not change the exit status.
    package enum Level: String, Sendable {
        case note, warning, error
    }

    package let level: Level
    /// The text, which can contain several lines.
    package var text: String
    /// The location that the message refers to.
    package var location: SourceLocation?

    package init(_ level: Level, _ text: String, at location: SourceLocation? = nil) {
        self.level = level
        self.text = text
        self.location = location
    }
}

/// A file that the run created and keeps.
package struct Artifact: Sendable, Equatable {
    /// The path relative to the package's root.
    package var path: String
    /// The size in bytes.
    package let size: Int
    /// The 64 hexadecimal digits of the SHA-256 hash, or `nil` if it was not computed.
    package let sha256: String?

    package init(path: String, size: Int, sha256: String?) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}

/// The end of a run.
package struct RunEnd: Sendable, Equatable {
    /// The exit status of `lane`.
    package let status: Int32
    /// The time since `runStarted`.
    package let duration: Duration

    package init(status: Int32, duration: Duration) {
        self.status = status
        self.duration = duration
    }
}

extension LaneEvent.Kind {
    /// Returns the event of a package in a subdirectory with paths relative to the root.
    ///
    /// - Parameter prefix: The path of the package, either empty or with a trailing `/`.
    package func located(below prefix: String) -> LaneEvent.Kind {
        guard !prefix.isEmpty else { return self }
        switch self {
        case .buildDiagnostic(var diagnostic):
            diagnostic.location = diagnostic.location?.located(below: prefix)
            return .buildDiagnostic(diagnostic)
        case .message(var message):
            message.location = message.location?.located(below: prefix)
            return .message(message)
        case .test(.planned(var tests)):
            for index in tests.indices { tests[index].location = tests[index].location?.located(below: prefix) }
            return .test(.planned(tests))
        case .test(.issue(var issue)):
            issue.location = issue.location?.located(below: prefix)
            return .test(.issue(issue))
        default: return self
        }
    }
}

extension SourceLocation {
    fileprivate func located(below prefix: String) -> SourceLocation {
        SourceLocation(path: path.located(below: prefix), line: line, column: column)
    }
}

extension String {
    fileprivate func located(below prefix: String) -> String { hasPrefix("/") ? self : prefix + self }
}

/// An error, warning or note of a compiler, linker or package manager.
package struct BuildDiagnostic: Sendable, Equatable {
    /// The severity of a diagnostic.
    package enum Severity: String, Sendable {
        case error, warning, note
    }

    package let severity: Severity
    /// The message, which can contain several lines.
    package var message: String
    /// The location, or `nil` for linkers and package managers.
    package var location: SourceLocation?
    /// The lines of the source excerpt that the compiler printed.
    package var excerpt: [String]

    package init(_ severity: Severity, _ message: String, at location: SourceLocation? = nil, excerpt: [String] = []) {
        self.severity = severity
        self.message = message
        self.location = location
        self.excerpt = excerpt
    }
}

/// The progress of a build.
package struct BuildProgress: Sendable, Equatable {
    /// The number of finished units: files, modules or commands.
    package let finished: Int
    /// The number of known units, which may grow during the build.
    package let total: Int
    /// The current action, as the build tool describes it.
    package let text: String

    package init(finished: Int, total: Int, text: String) {
        self.finished = finished
        self.total = total
        self.text = text
    }
}
