package import Git
package import OperatingSystem
package import Text

/// A type that begins transactions, and knows those of earlier runs. `Release` contains the implementation.
///
/// Each method gets git in the root of the package.
package protocol ReleaseSource: Sendable {
    /// Begins a transaction.
    ///
    /// - Parameter cleanup: The git commands that remove the worktree. After a cancellation, `git` starts none.
    func begin(_ git: Git, cleanup: Git) throws(OperationFailure) -> any Transaction

    /// Returns a Boolean value that indicates whether a killed `lane` may have left a transaction in this repository.
    /// Every command calls this method, so it only checks for files.
    func needsRecovery(root: String) -> Bool

    /// Completes or discards a killed transaction. Does nothing while another transaction is running.
    ///
    /// - Returns: The outcome, or `nil` if there was nothing to do.
    func recover(_ git: Git) throws(OperationFailure) -> RecoveredTransaction?

    /// Returns a description of a killed transaction, or `nil` if there is none or another process holds the lock.
    func interruptedRelease(_ git: Git) -> String?

    /// Returns the last release of this repository, unless its tag was removed or moved.
    func lastRelease(_ git: Git) -> LastRelease?

    /// Returns a Boolean value that indicates whether no remote has the last release. Returns `false` if this is unknown,
    /// or if there is no remote.
    func isLastReleaseUnpushed(_ git: Git) -> Bool

    /// Discards a killed transaction. If there is none, undoes the last release. Throws an error if the release is
    /// pushed.
    ///
    /// - Returns: A description of the changes, or `nil` if there was nothing to do.
    func abort(_ git: Git) throws(OperationFailure) -> String?
}

/// A transaction that a recovery has completed or discarded.
package struct RecoveredTransaction: Sendable, Equatable {
    /// A description of the changes.
    package let text: String
    /// A Boolean value that indicates whether the transaction was completed.
    package let isRelease: Bool

    package init(text: String, isRelease: Bool) {
        (self.text, self.isRelease) = (text, isRelease)
    }
}

/// The last committed transaction of a repository.
package struct LastRelease: Sendable {
    /// The record of its steps.
    package let record: TransactionRecord
    /// The version of its tag.
    package let version: SemanticVersion?
    /// A Boolean value that indicates whether HEAD is a rebased copy of the commit of the release. Otherwise, it is that
    /// commit or a descendant.
    package let isRebased: Bool

    package init(record: TransactionRecord, version: SemanticVersion?, isRebased: Bool) {
        (self.record, self.version, self.isRebased) = (record, version, isRebased)
    }
}
