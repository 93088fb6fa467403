package import LaneEvents
package import LaneModel
package import Processes

/// Does what one word of lane files says: `bump`, `test`, `tag`. The runner has a table of these and knows none of them.
package protocol StepAction: Sendable {
    /// Does it, in the caller's thread, and returns when it is done. Throws `StepFailure` when it could not.
    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult

    /// What it would do, in one line, for `--plan` and the step's headline; reads nothing and changes nothing.
    func summary(of settings: Settings) -> String

    /// The command line that it will run, as a person would type it; `nil` when it is more than that.
    func command(of settings: Settings) -> String?
}

extension StepAction {
    package func command(of settings: Settings) -> String? { nil }
}

/// What an action has to tell later steps.
package struct StepResult: Sendable, Equatable {
    /// For `${{ steps.<id>.<name> }}`.
    package var outputs: [String: Value]
    /// Set when there was nothing to do, and why; the step counts as skipped.
    package var skipReason: String?

    package init(outputs: [String: Value] = [:], skipReason: String? = nil) {
        self.outputs = outputs
        self.skipReason = skipReason
    }
}

/// Why a step failed: the status to end with, and words for a person.
package struct StepFailure: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        case failed
        case timedOut(after: Duration)
        case cancelled
    }

    package let status: Int32
    /// Lowercase, may be several lines; a hint, if any, is the last.
    package let message: String
    package let cause: Cause

    package init(status: Int32 = 1, _ message: String, cause: Cause = .failed) {
        self.status = status
        self.message = message
        self.cause = cause
    }
}

/// The world as one step sees it; all an action may touch.
package struct StepContext: Sendable {
    /// The step's id, for events.
    package let step: StepID
    /// Where the step works: the package's root, or a transaction's private worktree.
    package let directory: String
    /// The package's root in the user's own checkout; the same as `directory` outside a transaction.
    package let root: String
    /// The whole environment for children.
    package let environment: [String: String]
    /// Parameters of the step's lane.
    package let parameters: [String: Value]
    /// Starts children with secrets masked, and with the step's deadline and cancellation already in force.
    package let processes: any ProcessRunner
    /// The same without the masking, for an action that reads what its child says to it, and masks what it shows of it.
    package let unmasked: any ProcessRunner
    package let mask: SecretMask
    package let cancellation: Cancellation
    /// Set inside a transaction.
    package let transaction: (any Transaction)?
    /// The step has the terminal, and the run, to itself.
    package let isInteractive: Bool
    /// Emits an event of this step.
    package let send: @Sendable (LaneEvent.Kind) -> Void

    package init(
        step: StepID, directory: String, root: String, environment: [String: String], parameters: [String: Value],
        processes: any ProcessRunner, unmasked: (any ProcessRunner)? = nil, mask: SecretMask = SecretMask([:]),
        cancellation: Cancellation, transaction: (any Transaction)? = nil, isInteractive: Bool = false,
        send: @escaping @Sendable (LaneEvent.Kind) -> Void
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
        self.send = send
    }
}

/// Work in a private place that becomes real as a whole or leaves no trace.
package protocol Transaction: Sendable {
    /// The private worktree in which steps run.
    var directory: String { get }

    /// Notes what shall be done on `commit`, in the words of the transaction: a tag to make, files to put into `dist`.
    func plan(_ effect: TransactionEffect)

    /// Makes all of it real at once.
    func commit() throws(StepFailure)

    /// Removes the worktree and everything that was planned; safe to call at any time, also twice.
    func abandon()
}

/// One thing that a transaction does when it becomes real.
package enum TransactionEffect: Sendable, Equatable {
    /// An annotated tag on the commit that the worktree stands at.
    case tag(name: String, message: String)
    /// A file made below the worktree, to be moved to the same place below the root.
    case keep(relativePath: String)
}

/// Begins transactions; `Releasing` has the one for git.
package protocol TransactionSource: Sendable {
    func begin(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) throws(StepFailure) -> any Transaction
}
