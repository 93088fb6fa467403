import Diagnostics
package import Expressions
package import LaneEvents
import LaneModel
package import Processes
package import Secrets

/// Everything that an action may use: directories, environment, processes, events.
package struct StepContext: Sendable {
    /// The id of the step.
    package let step: StepID
    /// The directory in which the step works: the package's root, or a transaction's private worktree.
    package let directory: String
    /// The package's root in the user's checkout; equal to `directory` outside a transaction.
    package let root: String
    /// The working directory of commands: `directory`, or the one that the lane file gives.
    package let workingDirectory: String
    /// The environment variables of children.
    package private(set) var environment: [String: String]
    /// The parameters of the step's lane.
    package let parameters: [String: Value]
    /// Starts children. Their output is masked, and the step's deadline and cancellation apply to them.
    package let processes: any ProcessRunner
    /// Starts children without masking their output, for an action that parses it and masks what it shows.
    package let unmasked: any ProcessRunner
    /// Masks secrets in text that the action itself prints or writes.
    package let mask: SecretMask
    /// The cancellation of the step, for an action that works for long without a child.
    package let cancellation: Cancellation
    /// The transaction that the step is part of, if any.
    package let transaction: (any Transaction)?
    /// A Boolean value that indicates whether the step has the terminal to itself.
    package let isInteractive: Bool
    /// A Boolean value that indicates whether the step has an id, by which later steps may use its outputs.
    package let isNamed: Bool
    /// Sends an event of this step, with secrets masked.
    package let send: @Sendable (LaneEvent.Kind) -> Void
    /// Starts a process that runs until the step's lane ends.
    let startProcess: @Sendable (Command, _ cleanUp: @escaping @Sendable () -> Void) -> BackgroundProcess?
    /// Starts children when the lane ends, without the step's deadline and cancellation.
    package let cleanUp: any ProcessRunner
    /// The stream that the events of this step go through, for reports of this step alone.
    package let events: EventStream

    package init(
        step: StepID, directory: String, root: String, environment: [String: String], parameters: [String: Value],
        processes: any ProcessRunner, unmasked: (any ProcessRunner)? = nil, mask: SecretMask = SecretMask([:]),
        cancellation: Cancellation, transaction: (any Transaction)? = nil, workingDirectory: String? = nil,
        isInteractive: Bool = false, isNamed: Bool = false,
        cleanUp: (any ProcessRunner)? = nil,
        startProcess: @escaping @Sendable (Command, @escaping @Sendable () -> Void) -> BackgroundProcess? = { _, _ in
            nil
        },
        events: EventStream = EventStream(elapsed: { .zero }, receivers: []),
        send: @escaping @Sendable (LaneEvent.Kind) -> Void
    ) {
        self.step = step
        self.directory = directory
        self.root = root
        self.workingDirectory = workingDirectory ?? directory
        self.environment = environment
        self.parameters = parameters
        self.processes = processes
        self.unmasked = unmasked ?? processes
        self.mask = mask
        self.cancellation = cancellation
        self.transaction = transaction
        self.isInteractive = isInteractive
        self.isNamed = isNamed
        self.cleanUp = cleanUp ?? processes
        self.startProcess = startProcess
        self.events = events
        self.send = send
    }
}

extension StepContext {
    /// Returns the same context without an environment variable.
    package func without(_ variable: String) -> StepContext {
        var context = self
        context.environment[variable] = nil
        return context
    }

    /// Starts a process that runs until the step's lane ends.
    ///
    /// - Parameter cleanUp: Is called after the process was stopped.
    package func startInBackground(
        _ command: Command, cleanUp: @escaping @Sendable () -> Void
    ) throws(StepFailure) -> BackgroundProcess {
        guard let process = startProcess(command, cleanUp) else {
            throw StepFailure(status: ExitStatus.internal.rawValue, "nothing can run in the background here")
        }
        return process
    }

    /// Reports a message.
    package func tell(_ level: Message.Level, _ text: String) { send(.message(Message(level, text))) }

    /// Reports a file that the step has made; within a transaction, after the commit.
    package func announce(_ artifact: Artifact) {
        if let transaction {
            transaction.notes.announce(artifact, of: step)
        } else {
            send(.artifact(artifact))
        }
    }

    /// Reports output of a child.
    package func show(_ bytes: UnsafeRawBufferPointer, from source: OutputSource) {
        let stream: OutputChunk.Stream = source == .standardOutput ? .standardOutput : .standardError
        send(.stepOutput(OutputChunk(stream: stream, bytes: Array(bytes))))
    }
}
