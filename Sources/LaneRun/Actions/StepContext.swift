package import LaneEvents
package import LaneModel
package import Processes

/// The world as one step sees it; all an action may touch.
package struct StepContext: Sendable {
    /// The step's id, for events.
    package let step: StepID
    /// Where the step works: the package's root, or a transaction's private worktree.
    package let directory: String
    /// The package's root in the user's own checkout; the same as `directory` outside a transaction.
    package let root: String
    /// The whole environment for children.
    package private(set) var environment: [String: String]
    /// Parameters of the step's lane.
    package let parameters: [String: Value]
    /// Starts children with secrets masked, and with the step's deadline and cancellation already in force.
    package let processes: any ProcessRunner
    /// The same without the masking, for an action that reads what its child says to it, and masks what it shows of it.
    package let unmasked: any ProcessRunner
    /// For what an action prints or writes down of its own.
    package let mask: SecretMask
    /// What an action asks that works for long without a child.
    package let cancellation: Cancellation
    /// Set inside a transaction.
    package let transaction: (any Transaction)?
    /// The step has the terminal, and the run, to itself.
    package let isInteractive: Bool
    /// The lane file gives the step an id, under which later ones may speak of its outputs.
    package let isNamed: Bool
    /// Emits an event of this step.
    package let send: @Sendable (LaneEvent.Kind) -> Void

    package init(
        step: StepID, directory: String, root: String, environment: [String: String], parameters: [String: Value],
        processes: any ProcessRunner, unmasked: (any ProcessRunner)? = nil, mask: SecretMask = SecretMask([:]),
        cancellation: Cancellation, transaction: (any Transaction)? = nil, isInteractive: Bool = false,
        isNamed: Bool = false, send: @escaping @Sendable (LaneEvent.Kind) -> Void
    ) {
        self.step = step
        self.directory = directory
        self.root = root
        self.environment = environment
        self.parameters = parameters
        self.processes = processes
        self.unmasked = unmasked ?? processes
        self.mask = mask
        self.cancellation = cancellation
        self.transaction = transaction
        self.isInteractive = isInteractive
        self.isNamed = isNamed
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

    /// Tells a person something about the step.
    package func tell(_ level: Message.Level, _ text: String) { send(.message(Message(level, text))) }

    /// Tells of a file that the step has made; in a transaction, when that has become real.
    package func announce(_ artifact: Artifact) {
        if let transaction {
            transaction.notes.announce(artifact, of: step)
        } else {
            send(.artifact(artifact))
        }
    }

    /// Shows what a child of the step printed.
    package func show(_ bytes: UnsafeRawBufferPointer, from source: OutputSource) {
        let stream: OutputChunk.Stream = source == .standardOutput ? .standardOutput : .standardError
        send(.stepOutput(OutputChunk(stream: stream, bytes: Array(bytes))))
    }
}
