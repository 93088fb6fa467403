package import Processes

/// Work in a private place that becomes real as a whole or leaves no trace.
package protocol Transaction: Sendable {
    /// The private worktree in which steps run.
    var directory: String { get }

    /// Notes what shall be done on `commit`, in the words of the transaction: a tag to make, files to put into `dist`.
    func plan(_ effect: TransactionEffect)

    /// What steps leave for those after them, and for the moment when all becomes real.
    var notes: TransactionNotes { get }

    /// Makes all of it real at once, and says what that is; `nil` where nobody needs to be told.
    @discardableResult
    func commit() throws(StepFailure) -> String?

    /// Removes the worktree and everything that was planned; safe to call at any time, also twice.
    func abandon()
}

/// One thing that a transaction does when it becomes real.
package enum TransactionEffect: Sendable, Hashable {
    /// An annotated tag on the commit that the worktree stands at.
    case tag(name: String, message: String)
    /// A file made below the worktree, to be moved to the same place below the root.
    case keep(relativePath: String)
}

/// Begins transactions; `Releasing` has the one for git.
package protocol TransactionSource: Sendable {
    /// - Parameter tidying: Starts what removes the worktree, also when the run has been cancelled and `processes` starts
    ///   nothing any more.
    func begin(
        root: String, environment: [String: String], processes: any ProcessRunner, tidying: any ProcessRunner
    ) throws(StepFailure) -> any Transaction
}
