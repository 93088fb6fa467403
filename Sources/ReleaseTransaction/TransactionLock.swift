import Files
import LaneRun

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A lock that allows one transaction at a time in a repository. The system releases it at the end of the process.
final class TransactionLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock. Returns `nil` if another process has it.
    init?(home: String) throws(StepFailure) {
        try onFiles { () throws(FileError) in try makeDirectories(home) }
        let path = "\(home)/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw StepFailure(FileError("write", path)) }
        // The previous process may be ending, so this is retried for a moment.
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            // Without locks in the file system, two releases could run at the same time.
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StepFailure(FileError("lock", path)) }
            usleep(10_000)
        }
        // `deinit` also closes the file here.
        return nil
    }

    deinit {
        close(descriptor)
    }
}
