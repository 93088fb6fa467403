import Files
import LaneRun

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps git from writing the checkout's index, by the lock file that git itself uses. Its text tells a later `lane` that
/// the lock is one of ours, should it be left behind.
enum IndexLock {
    private static let mark = "lane transaction\n"

    static func take(_ place: TransactionPlace) throws(StepFailure) {
        let mine = "\(place.folder)/index.lock.mark"
        try onFiles { () throws(FileError) in try writeFile(mark, to: mine) }
        if link(mine, place.userIndexLock) == 0 { return }
        if errno != EEXIST {
            // A file system without hard links.
            let exclusive = open(place.userIndexLock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if exclusive >= 0 {
                close(exclusive)
                return try onFiles { () throws(FileError) in try writeFile(mark, to: place.userIndexLock) }
            }
        }
        throw .refused([refusal(place.userIndexLock)])
    }

    /// The words for a lock that git has, or left.
    static func refusal(_ lock: String) -> String {
        "git is at work in this checkout, or was killed: '\(lock)' exists\nhint: if no git is running, remove it"
    }

    static func isOurs(_ place: TransactionPlace) -> Bool {
        (try? readText(place.userIndexLock)) == mark
    }

    static func release(_ place: TransactionPlace) {
        if isOurs(place) { unlink(place.userIndexLock) }
    }
}
