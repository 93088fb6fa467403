import Files
import LaneRun

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The lock files on the names of a transaction that a killed git leaves behind.
///
/// Git writes the new object into the lock of a name, so a lock with an object of the transaction is its own. An empty one
/// belongs to a git that is at work, or to none. No lock goes while a process that may hold it is alive.
struct ReferenceLocks {
    let place: TransactionPlace
    let journal: TransactionJournal
    /// The longest wait for a git that is at work.
    var patience = 10

    /// Removes the locks that no process holds.
    func removeStale() throws(StepFailure) {
        unlink("\(place.index).lock")
        for lock in locks {
            var attempts = 0
            while let owner = owner(of: lock), owner != .other {
                let holder = holder(of: owner)
                let isOver = attempts >= patience * 50
                if holder == nil, isOver || owner == .transaction || Self.showsProcesses {
                    unlink(lock)
                    break
                }
                if let holder, isOver {
                    throw .refused([
                        "'\(lock)' is locked by git (process \(holder)), so the interrupted \(journal.title) "
                            + "cannot be finished yet\nhint: wait for its end, or end it"
                    ])
                }
                attempts += 1
                usleep(20_000)
            }
        }
    }

    /// Elsewhere only time tells that no process holds a lock.
    private static let showsProcesses = fileExists("/proc/self/cwd")

    private var locks: [String] {
        let common = place.repository.commonDirectory
        let names = [journal.branch, journal.tag.map { "refs/tags/\($0.name)" }].compactMap { $0 }
        return names.map { "\(common)/\($0).lock" }
            + ["\(place.repository.gitDirectory)/HEAD.lock", "\(common)/packed-refs.lock"]
    }

    enum Owner {
        case transaction, unknown, other
    }

    /// `nil` when the lock is not there.
    private func owner(of lock: String) -> Owner? {
        guard let text = try? readText(lock) else { return nil }
        if text.isEmpty { return .unknown }
        return [journal.old, journal.new, journal.tag?.object].contains(text.lines.first) ? .transaction : .other
    }

    /// The process of a git that works in the repository and may hold the lock.
    private func holder(of owner: Owner) -> Int? {
        let places = [place.repository.topLevel, place.repository.commonDirectory, place.repository.gitDirectory]
        let processes = (try? listDirectory("/proc"))?.compactMap { Int($0) } ?? []
        return processes.first { process in
            guard (try? readText("/proc/\(process)/comm"))?.lines.first == "git",
                let directory = try? linkTarget("/proc/\(process)/cwd"),
                places.contains(where: { directory == $0 || directory.hasPrefix("\($0)/") })
            else { return false }
            guard owner == .transaction else { return true }
            return (try? readText("/proc/\(process)/cmdline"))?.split(separator: "\0").contains("update-ref") ?? false
        }
    }
}
