package import Actions
package import Git
package import OperatingSystem

/// The source of transactions in git repositories.
///
/// A transaction is applied as a whole or not at all, even if the process is killed at any time:
///
/// 1. The steps run in a private worktree with a detached HEAD. No reference in the repository points to their commits
///    and the tag object, so they are invisible.
/// 2. `commit` checks everything that can fail, locks the checkout's index, and writes a journal of the changes. Before
///    the journal exists, nothing has changed.
/// 3. A child process, which does not depend on `lane`, then moves the branch and the tag in one `git update-ref`
/// transaction, updates the checkout and its index, and moves created files to their destinations. It continues if
/// `lane` is killed.
/// 4. If the machine stops during these changes, the next `lane` finds the journal. It discards the transaction if no
///    reference has moved, and completes the transaction otherwise. All operations can be repeated.
///
/// References are moved before files, because the files of the checkout can be restored from the tag at any time. In
/// the opposite order, the files could belong to a release that does not exist.
package struct GitTransactionSource: ReleaseSource {
    package init() {}

    /// Locks the repository, completes or discards a killed transaction, and creates the private worktree.
    package func begin(_ git: Git, cleanup: Git) throws(OperationFailure) -> any Transaction {
        var (repository, head, branch) = try Repository.findWithHead(git)
        let paths = TransactionPaths(repository: repository)
        let lock = try Self.take(paths)
        if try TransactionRecovery(paths: paths, git: git).run() != .nothingToDo {
            (repository, head, branch) = try Repository.findWithHead(git)
        }
        try CheckoutAccess(paths: paths).requireRepository(branch: branch)
        let transaction = GitTransaction(
            paths: paths, git: git, cleanup: cleanup, lock: lock, branch: branch, base: head)
        do throws(OperationFailure) {
            try transaction.makeWorktree()
        } catch {
            transaction.abandon()
            throw error
        }
        return transaction
    }

    /// Returns a Boolean value that indicates whether a killed `lane` may have left a transaction in this repository.
    /// Every command calls this method, so it only checks for files and does not run git.
    package func needsRecovery(root: String) -> Bool {
        guard let entry = Self.gitEntry(above: root) else { return false }
        guard fileKind(entry) == .directory else { return true }
        let names = (try? listDirectory("\(entry)/lane")) ?? []
        return names.contains { $0 == "transaction" || $0.hasPrefix(TransactionPaths.discarded) }
    }

    /// Returns the path of the closest `.git`. In a linked worktree or a submodule, it is a file or link, and only git
    /// can find the git directory.
    static func gitEntry(above directory: String) -> String? {
        var directory = directory
        while true {
            switch fileKind("\(directory)/.git") {
            case .directory?, .file?, .link?: return "\(directory)/.git"
            case .other?, nil:
                if directory == "/" || directory == "." { return nil }
                directory = parentDirectory(directory)
            }
        }
    }

    /// Completes or discards a killed transaction. Does nothing while another transaction is running.
    ///
    /// - Returns: The outcome, or `nil` if there was nothing to do.
    package func recover(_ git: Git) throws(OperationFailure) -> RecoveredTransaction? {
        guard let repository = try? Repository.find(git) else { return nil }
        let paths = TransactionPaths(repository: repository)
        // A lane in the private worktree belongs to the transaction, which holds the lock.
        guard !repository.topLevel.hasPrefix("\(paths.home)/") else { return nil }
        guard fileExists(paths.home), let lock = try paths.lock() else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let outcome = try TransactionRecovery(paths: paths, git: git).run()
        return outcome.text.map { RecoveredTransaction(text: $0, isRelease: outcome != .dropped) }
    }

    static func take(_ paths: TransactionPaths) throws(OperationFailure) -> FileLock {
        guard let lock = try paths.lock() else {
            throw .refused(["another release is running in this repository"])
        }
        return lock
    }
}
