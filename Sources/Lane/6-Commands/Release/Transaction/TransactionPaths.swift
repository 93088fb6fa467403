import Git
import OperatingSystem

/// The paths of a transaction. They are in the git directory, outside the user's checkout but on the same file system,
/// where moving a file is a rename.
struct TransactionPaths: Sendable {
    let repository: Repository

    var home: String { "\(repository.commonDirectory)/lane" }

    /// Acquires the lock that allows one transaction at a time in a repository. Returns `nil` if another process holds
    /// it.
    func lock() throws(OperationFailure) -> FileLock? {
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(home)
            return try FileLock(ifFree: "\(home)/lock")
        }
    }

    /// The journal of the last transaction that was applied completely.
    var lastJournal: String { "\(home)/\(Self.released)" }
    static let released = "released.json"

    /// The record of the remotes to which the last release was pushed.
    var pushes: String { "\(home)/pushes" }

    /// The prefix of directories in `home` that can be removed.
    static let discarded = "discarded."

    /// The directory of the open transaction, which is removed when the transaction ends.
    var directory: String { "\(home)/transaction" }

    /// The private worktree. It has the same name as the checkout, because SwiftPM uses the directory's name for the
    /// package.
    var worktree: String { "\(directory)/worktree/\(lastPathComponent(repository.topLevel))" }

    /// The package in the private worktree.
    var package: String {
        repository.prefix.isEmpty ? worktree : "\(worktree)/\(repository.prefix.dropLast())"
    }

    /// The package in the user's checkout.
    var root: String {
        repository.prefix.isEmpty ? repository.topLevel : "\(repository.topLevel)/\(repository.prefix.dropLast())"
    }

    /// The file with the path of the user's package. A recovery may run in another worktree.
    var origin: String { "\(directory)/origin" }
    /// The file that indicates that all changes of the journal are complete.
    var done: String { "\(directory)/done" }
    /// The journal. The transaction is final when this file exists and a reference has moved.
    var journal: String { "\(directory)/journal.json" }
    /// The input of `git update-ref --stdin`.
    var refs: String { "\(directory)/refs" }
    /// The next index of the checkout.
    var index: String { "\(directory)/index" }
    /// The file with the process ID of the shell that applies the transaction.
    var finisher: String { "\(directory)/finisher" }
    /// The empty repository in which the tag is created, because the user's repository must not refer to it yet.
    var tagRepository: String { "\(directory)/tag.git" }

    var userIndex: String { "\(repository.gitDirectory)/index" }
    var userIndexLock: String { "\(repository.gitDirectory)/index.lock" }
}
