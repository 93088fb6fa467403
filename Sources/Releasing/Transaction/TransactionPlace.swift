import Files

/// Where a transaction keeps its things: a folder of its own in the repository's git folder, so that nothing of it shows
/// in the user's checkout, and moving a finished file there is a rename.
struct TransactionPlace: Sendable {
    let repository: Repository

    var home: String { "\(repository.commonDirectory)/lane" }

    /// The journal of the last transaction that became real and whole.
    var real: String { "\(home)/released.json" }

    /// The prefix of directories in `home` that are only to be removed.
    static let discarded = "discarded."

    /// Everything of the one transaction that may run; gone when none does.
    var folder: String { "\(home)/transaction" }

    /// The private worktree. Named like the checkout, because SwiftPM makes the folder's name the package's.
    var worktree: String { "\(folder)/worktree/\(lastPathComponent(repository.topLevel))" }

    /// The package in the private worktree.
    var package: String {
        repository.prefix.isEmpty ? worktree : "\(worktree)/\(repository.prefix.dropLast())"
    }

    /// The package in the user's checkout.
    var root: String {
        repository.prefix.isEmpty ? repository.topLevel : "\(repository.topLevel)/\(repository.prefix.dropLast())"
    }

    /// The package that the transaction was begun for: another worktree may be the one that recovers it.
    var origin: String { "\(folder)/origin" }
    /// Made when everything in the journal has been done.
    var done: String { "\(folder)/done" }
    /// The point of no return has come when this file is there and one of its names has moved.
    var journal: String { "\(folder)/journal.json" }
    /// What `git update-ref --stdin` will be told.
    var refs: String { "\(folder)/refs" }
    /// The checkout's index as it will be.
    var index: String { "\(folder)/index" }
    /// The number of the process that makes the transaction real.
    var finisher: String { "\(folder)/finisher" }
    /// A repository without objects of its own in which the tag is made, so that it gets no name yet.
    var tagRepository: String { "\(folder)/tag.git" }

    var userIndex: String { "\(repository.gitDirectory)/index" }
    var userIndexLock: String { "\(repository.gitDirectory)/index.lock" }
}
