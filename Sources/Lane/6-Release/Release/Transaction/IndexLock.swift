import OperatingSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Git's lock file for the checkout's index. Its text identifies `lane` as the owner, which lets a later run remove it.
enum IndexLock {
    private static let mark = "lane transaction\n"

    static func take(_ paths: TransactionPaths) throws(OperationFailure) {
        let mine = "\(paths.directory)/index.lock.mark"
        try convertingFileErrors { () throws(FileError) in try writeFile(mark, to: mine) }
        if link(mine, paths.userIndexLock) == 0 { return }
        if errno != EEXIST {
            // On a file system without hard links, the file is created in place.
            let exclusive = open(paths.userIndexLock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if exclusive >= 0 {
                close(exclusive)
                return try convertingFileErrors { () throws(FileError) in try writeFile(mark, to: paths.userIndexLock) }
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
