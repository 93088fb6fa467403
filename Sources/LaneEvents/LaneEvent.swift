/// One thing that happened in a run. Running makes these, reporting reads them, and neither knows the other.
///
/// Order: `runStarted` first and `runEnded` last; a step's events lie between its `stepStarted` and `stepEnded`; steps
/// that run at the same time interleave. A skipped step has a `stepEnded` alone.
package struct LaneEvent: Sendable, Equatable {
    /// From 1, without gaps.
    package let number: Int
    /// Time since the run began, on the monotonic clock.
    package let offset: Duration
    /// The step in whose course it happened; `nil` for what concerns the run as a whole.
    package let step: StepID?
    /// What it was, with all that is to be said of it.
    package let kind: Kind

    /// What has happened.
    package enum Kind: Sendable, Equatable {
        case runStarted(RunStart)
        case stepStarted(StepStart)
        case stepOutput(OutputChunk)
        /// An attempt failed and another follows.
        case stepRetried(StepRetry)
        case stepEnded(StepEnd)
        case buildProgress(BuildProgress)
        case buildDiagnostic(BuildDiagnostic)
        case test(TestEvent)
        case message(Message)
        case artifact(Artifact)
        case runEnded(RunEnd)
    }

    package init(number: Int, offset: Duration, step: StepID?, kind: Kind) {
        self.number = number
        self.offset = offset
        self.step = step
        self.kind = kind
    }
}

/// Names a step within a plan, as in `release/test/2`: lanes, then the step's `id` or its place from 1.
package struct StepID: Hashable, Sendable, CustomStringConvertible {
    /// The whole path, parts separated by `/`.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// A run begins, with the steps that it plans.
package struct RunStart: Sendable, Equatable {
    /// The lane as it was asked for.
    package let lane: String
    /// Steps of the plan in order, so that a report knows the whole from the start.
    package let steps: [PlannedStep]
    /// When it began, for reports that name a date; seconds since 1970.
    package let startedAt: Double

    package init(lane: String, steps: [PlannedStep], startedAt: Double) {
        self.lane = lane
        self.steps = steps
        self.startedAt = startedAt
    }

    /// A step that the run may come to.
    package struct PlannedStep: Sendable, Equatable {
        /// As its events carry it.
        package let id: StepID
        /// What people see; secrets masked.
        package let name: String

        package init(id: StepID, name: String) {
            self.id = id
            self.name = name
        }
    }
}

/// A step begins.
package struct StepStart: Sendable, Equatable {
    /// What people see; secrets masked.
    package let name: String
    /// The action's word, as in a lane file: `run`, `test`, `bump`.
    package let action: String
    /// The command line as a person would type it, where there is one.
    package let command: String?
    /// The one command that repeats just this step, as `lane ci --step ci/test-2`.
    package let repeatCommand: String?
    /// The same for no more than the tests that will have failed in it, where it runs tests.
    package let repeatFailedCommand: String?
    /// Where its whole output is kept, relative to the package's root.
    package let log: String?

    package init(
        name: String, action: String, command: String? = nil, repeatCommand: String? = nil,
        repeatFailedCommand: String? = nil, log: String? = nil
    ) {
        self.name = name
        self.action = action
        self.command = command
        self.repeatCommand = repeatCommand
        self.repeatFailedCommand = repeatFailedCommand
        self.log = log
    }
}

/// Bytes that a step's child printed, as they came: not cut at line ends, not always UTF-8, secrets already masked.
package struct OutputChunk: Sendable, Equatable {
    /// Which of the child's streams it came from.
    package enum Stream: String, Sendable {
        case standardOutput = "stdout"
        case standardError = "stderr"
    }

    /// Kept apart, though a screen shows both.
    package let stream: Stream
    /// As many as were read at once.
    package let bytes: [UInt8]

    package init(stream: Stream, bytes: [UInt8]) {
        self.stream = stream
        self.bytes = bytes
    }
}

/// An attempt at a step failed, and another one follows.
package struct StepRetry: Sendable, Equatable {
    /// The attempt that failed, from 1.
    package let attempt: Int
    /// How many there may be in all.
    package let attempts: Int
    /// Why it failed, in one line.
    package let reason: String
    /// Until the next one begins.
    package let delay: Duration

    package init(attempt: Int, attempts: Int, reason: String, delay: Duration) {
        self.attempt = attempt
        self.attempts = attempts
        self.reason = reason
        self.delay = delay
    }
}

/// A step has ended.
package struct StepEnd: Sendable, Equatable {
    /// How it ended.
    package enum Outcome: Sendable, Equatable {
        case passed
        /// The status it ended with, and what to tell a person; `message` may be several lines.
        case failed(status: Int32, message: String)
        /// Why it did not have to run.
        case skipped(reason: String)
        case upToDate
        case timedOut(after: Duration)
        /// Ended because the run was cancelled or something else failed.
        case cancelled
    }

    /// What people see; secrets masked.
    package let name: String
    /// How it ended, its last attempt that is.
    package let outcome: Outcome
    /// From its start to its end, all attempts and the waits between them included.
    package let duration: Duration
    /// The step may fail without failing the run.
    package let isForgiven: Bool

    package init(name: String, outcome: Outcome, duration: Duration, isForgiven: Bool = false) {
        self.name = name
        self.outcome = outcome
        self.duration = duration
        self.isForgiven = isForgiven
    }
}

/// Something `lane` itself has to say.
package struct Message: Sendable, Equatable {
    /// How much it matters.
    package enum Level: String, Sendable {
        case note, warning, error
    }

    /// What a report makes of it; none of them changes the exit status.
    package let level: Level
    /// For a person; may be of several lines.
    package let text: String
    /// What it speaks of, where that is a place in a file.
    package let location: SourceLocation?

    package init(_ level: Level, _ text: String, at location: SourceLocation? = nil) {
        self.level = level
        self.text = text
        self.location = location
    }
}

/// A file that the run made and that is meant to be kept.
package struct Artifact: Sendable, Equatable {
    /// Relative to the package's root.
    package let path: String
    /// In bytes.
    package let size: Int
    /// 64 hexadecimal digits; `nil` where nobody worked it out.
    package let sha256: String?

    package init(path: String, size: Int, sha256: String?) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}

/// A run has ended.
package struct RunEnd: Sendable, Equatable {
    /// The status with which `lane` ends.
    package let status: Int32
    /// From `runStarted` on.
    package let duration: Duration

    package init(status: Int32, duration: Duration) {
        self.status = status
        self.duration = duration
    }
}
