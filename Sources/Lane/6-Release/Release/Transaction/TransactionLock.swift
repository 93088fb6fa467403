import OperatingSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A lock that allows one transaction at a time in a repository. The operating system releases it when the process
/// ends.
final class TransactionLock: Sendable {
    private let descriptor: Int32

    /// Acquires the lock. Returns `nil` if another process holds it.
    init?(home: String) throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in try makeDirectories(home) }
        let path = "\(home)/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw OperationFailure(FileError("write", path)) }
        // The process that holds the lock may be about to end.
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            // On a file system without locks, two releases could run at the same time.
            guard errno == EWOULDBLOCK || errno == EINTR else { throw OperationFailure(FileError("lock", path)) }
            usleep(10_000)
        }
        // `deinit` closes the file.
        return nil
    }

    deinit {
        close(descriptor)
    }
}
