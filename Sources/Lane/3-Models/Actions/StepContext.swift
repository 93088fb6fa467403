package import Events
package import Expressions
import LaneModel
package import OperatingSystem
import Text

/// The context of an action: directories, environment, processes, events.
package struct StepContext: Sendable {
    /// The identifier of the step.
    package let step: StepID
    /// The directory of the step: the package's root, or the private worktree of a transaction.
    package private(set) var directory: String
    /// The package's root in the user's checkout. Outside a transaction, it equals `directory`.
    package let root: String
    /// The working directory of commands: the `directory` of the lane file, or else of the step.
    package let workingDirectory: String
    /// The environment variables of children.
    package private(set) var environment: [String: String]
    /// The parameters of the step's lane.
    package let parameters: [String: Value]
    /// The runner of child processes. It masks their output and applies the step's deadline and cancellation.
    package let processes: any ProcessRunner
    /// The runner of child processes that does not mask their output. An action that uses it must mask the text that it
    /// shows.
    package let unmasked: any ProcessRunner
    /// The mask for secrets in text that the action itself prints or writes.
    package let mask: SecretMask
    /// The cancellation of the step, for an action that runs long without a child process.
    package let cancellation: Cancellation
    /// A closure that returns the time in seconds since 1970.
    package let now: @Sendable () -> Double
    /// A closure that waits. Returns `true` if the step was cancelled.
    package let wait: @Sendable (Duration) -> Bool
    /// The time at which the step or its lane times out, for an action that waits without a child process.
    package let deadline: Deadline?
    /// The transaction of the step, if any.
    package let transaction: (any Transaction)?
    /// The releases whose versions the steps of the run have determined.
    package let releases: PlannedReleases
    /// A Boolean value that indicates whether the step has exclusive use of the terminal.
    package let isInteractive: Bool
    /// A Boolean value that indicates whether the step has an `id`, by which later steps can read its outputs.
    package let isNamed: Bool
    /// A Boolean value that indicates whether the step runs even if it is up to date.
    package let isForced: Bool
    /// Sends an event of this step with masked secrets.
    package let send: @Sendable (LaneEvent.Kind) -> Void
    /// A function that starts a process in the background.
    package typealias StartProcess =
        @Sendable (
            Command, _ receive: @escaping @Sendable ([UInt8]) -> Void, _ cleanUp: @escaping @Sendable () -> Void
        ) -> BackgroundProcess?

    /// Starts a process that runs until the step's lane ends.
    let startProcess: StartProcess
    /// The runner of child processes for cleanup at the end of the lane, without the step's deadline and cancellation.
    package let cleanUp: any ProcessRunner
    /// The stream of the run's events, for reports of this step only.
    package let events: EventStream

    package init(
        step: StepID, directory: String, root: String, environment: [String: String], parameters: [String: Value],
        processes: any ProcessRunner, unmasked: (any ProcessRunner)? = nil, mask: SecretMask = SecretMask([:]),
        cancellation: Cancellation, now: @escaping @Sendable () -> Double,
        wait: (@Sendable (Duration) -> Bool)? = nil, deadline: Deadline? = nil, transaction: (any Transaction)? = nil,
        releases: PlannedReleases = PlannedReleases(),
        workingDirectory: String? = nil,
        isInteractive: Bool = false, isNamed: Bool = false, isForced: Bool = false,
        cleanUp: (any ProcessRunner)? = nil,
        startProcess: @escaping StartProcess = { _, _, _ in nil },
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
        self.now = now
        self.wait = wait ?? { cancellation.wait($0) }
        self.deadline = deadline
        self.transaction = transaction
        self.releases = releases
        self.isInteractive = isInteractive
        self.isNamed = isNamed
        self.isForced = isForced
        self.cleanUp = cleanUp ?? processes
        self.startProcess = startProcess
        self.events = events
        self.send = send
    }
}

extension StepContext {
    /// Returns the context of an action on the package in a directory, which may be below the root.
    package func inPackage(_ directory: String) -> StepContext {
        var context = self
        context.directory = directory
        return context
    }

    /// Returns the context without an environment variable.
    package func without(_ variable: String) -> StepContext {
        var context = self
        context.environment[variable] = nil
        return context
    }

    /// Starts a process that runs until the step's lane ends.
    ///
    /// - Parameters:
    ///   - receive: A closure for the output.
    ///   - cleanUp: A closure that is called after the process has been stopped.
    package func startInBackground(
        _ command: Command, receive: @escaping @Sendable ([UInt8]) -> Void, cleanUp: @escaping @Sendable () -> Void
    ) throws(OperationFailure) -> BackgroundProcess {
        guard let process = startProcess(command, receive, cleanUp) else {
            throw OperationFailure(status: ExitStatus.internal.rawValue, "nothing can run in the background here")
        }
        return process
    }

    /// Reports a message.
    package func report(_ level: Message.Level, _ text: String) { send(.message(Message(level, text))) }

    /// Reports a file that the step created. In a transaction, the file is reported after the commit.
    package func announce(_ artifact: Artifact) {
        if let transaction {
            transaction.values.announce(artifact, of: step)
        } else {
            send(.artifact(artifact))
        }
    }

    /// Reports output of a child process.
    package func show(_ bytes: UnsafeRawBufferPointer, from source: OutputSource) {
        let stream: OutputChunk.Stream = source == .standardOutput ? .standardOutput : .standardError
        send(.stepOutput(OutputChunk(stream: stream, bytes: Array(bytes))))
    }
}
