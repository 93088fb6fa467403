import CLibrary
import Git
import OperatingSystem
import Text

/// The lock files of references that remain after git was killed.
///
/// Git writes the new object into the lock of a reference. A lock that contains an object of the transaction therefore
/// belongs to it. An empty lock may belong to a running git. Locks are kept while a process that may hold them is
/// running.
struct ReferenceLocks {
    let paths: TransactionPaths
    let journal: TransactionJournal
    /// The maximum time to wait for a running git, in seconds.
    var acquireTimeout = 10

    /// Removes locks that no process holds. Throws an error if a process holds a lock longer than the timeout.
    func removeStale() throws(OperationFailure) {
        unlink("\(paths.index).lock")
        for lock in locks {
            var attempts = 0
            while let owner = owner(of: lock), owner != .other {
                let holder = holder(of: owner)
                let isOver = attempts >= acquireTimeout * 50
                if holder == nil, isOver || owner == .transaction || Self.showsProcesses {
                    unlink(lock)
                    break
                }
                if let holder, isOver {
                    throw .refused([
                        "'\(lock)' is locked by git (process \(holder)), so the interrupted \(journal.title) "
                            + "cannot be completed yet\nhint: wait for it, or end it"
                    ])
                }
                attempts += 1
                usleep(20_000)
            }
        }
    }

    /// A Boolean value that indicates whether the system lists processes in `/proc`. Without that list, a lock counts
    /// as stale after the timeout.
    private static let showsProcesses = fileExists("/proc/self/cwd")

    private var locks: [String] {
        let common = paths.repository.commonDirectory
        let names = [journal.branch, journal.tag.map { "refs/tags/\($0.name)" }].compactMap { $0 }
        return names.map { "\(common)/\($0).lock" }
            + ["\(paths.repository.gitDirectory)/HEAD.lock", "\(common)/packed-refs.lock"]
    }

    enum Owner {
        case transaction, unknown, other
    }

    /// Returns the owner of a lock, or `nil` if there is no lock.
    private func owner(of lock: String) -> Owner? {
        guard let text = try? readText(lock) else { return nil }
        if text.isEmpty { return .unknown }
        return [journal.old, journal.new, journal.tag?.object].contains(text.lines.first) ? .transaction : .other
    }

    /// Returns the process ID of a running git that may hold the lock, or `nil` if there is none.
    private func holder(of owner: Owner) -> Int? {
        let directories = [paths.repository.topLevel, paths.repository.commonDirectory, paths.repository.gitDirectory]
        let processes = (try? listDirectory("/proc"))?.compactMap { Int($0) } ?? []
        return processes.first { process in
            guard (try? readText("/proc/\(process)/comm"))?.lines.first == "git",
                let directory = try? linkTarget("/proc/\(process)/cwd"),
                directories.contains(where: { directory == $0 || directory.hasPrefix("\($0)/") })
            else { return false }
            guard owner == .transaction else { return true }
            return (try? readText("/proc/\(process)/cmdline"))?.split(separator: "\0").contains("update-ref") ?? false
        }
    }
}

/// Git's lock file for the checkout's index. Its text identifies `lane` as the owner, which lets a later run remove it.
enum IndexLock {
    private static let mark = "lane transaction\n"

    static func take(_ paths: TransactionPaths) throws(OperationFailure) {
        let mine = "\(paths.directory)/index.lock.mark"
        try convertingFileErrors(of: writeFile(mark, to: mine))
        if link(mine, paths.userIndexLock) == 0 { return }
        if errno != EEXIST {
            // On a file system without hard links, the file is created in place.
            let exclusive = open(paths.userIndexLock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if exclusive >= 0 {
                close(exclusive)
                return try convertingFileErrors(of: writeFile(mark, to: paths.userIndexLock))
            }
        }
        throw .refused([refusal(paths.userIndexLock)])
    }

    /// Returns the message for an existing lock of git.
    static func refusal(_ lock: String) -> String {
        "git is running in this checkout, or was killed: '\(lock)' exists\nhint: if no git is running, remove it"
    }

    static func isOurs(_ paths: TransactionPaths) -> Bool {
        (try? readText(paths.userIndexLock)) == mark
    }

    static func release(_ paths: TransactionPaths) {
        if isOurs(paths) { unlink(paths.userIndexLock) }
    }
}
