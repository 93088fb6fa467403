import Files
import LaneRun

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where a transaction keeps its things: a folder of its own in the repository's git folder, so that nothing of it shows
/// in the user's checkout, and moving a finished file there is a rename.
struct TransactionPlace: Sendable {
    let repository: Repository

    var home: String { "\(repository.commonDirectory)/lane" }

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

    /// The point of no return has come when this file is there.
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

/// Lets one process at a time make a transaction in a repository. The system gives it back when the process is gone,
/// however it went.
final class TransactionLock: Sendable {
    private let descriptor: Int32

    /// `nil` when another process has it.
    init?(home: String) throws(StepFailure) {
        try onFiles { () throws(FileError) in try makeDirectories(home) }
        let path = "\(home)/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw StepFailure(FileError("write", path)) }
        // Retried for a moment: the one before us may just be ending.
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            usleep(10_000)
        }
        close(descriptor)
        return nil
    }

    deinit {
        close(descriptor)
    }
}

/// Keeps git from writing the checkout's index, by the lock file that git itself uses. Its text tells a later `lane` that
/// the lock is one of ours, should it be left behind.
enum IndexLock {
    private static let mark = "lane transaction\n"

    static func take(_ place: TransactionPlace) throws(StepFailure) {
        let mine = "\(place.folder)/index.lock.mark"
        try onFiles { () throws(FileError) in try writeFile(mark, to: mine) }
        if link(mine, place.userIndexLock) == 0 { return }
        if errno != EEXIST, let exclusive = open(exclusive: place.userIndexLock) {
            // A file system without hard links.
            close(exclusive)
            return try onFiles { () throws(FileError) in try writeFile(mark, to: place.userIndexLock) }
        }
        throw .refused([
            "git is at work in this checkout, or was killed: '\(place.userIndexLock)' is there"
        ])
    }

    static func isOurs(_ place: TransactionPlace) -> Bool {
        (try? readText(place.userIndexLock)) == mark
    }

    static func release(_ place: TransactionPlace) {
        if isOurs(place) { unlink(place.userIndexLock) }
    }

    private static func open(exclusive path: String) -> Int32? {
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        #else
            let descriptor = Darwin.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        #endif
        return descriptor >= 0 ? descriptor : nil
    }
}
