import Files
import LaneRun

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
            // Some file systems have no locks, and without one two releases could meet.
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StepFailure(FileError("lock", path)) }
            usleep(10_000)
        }
        // `deinit` closes the file, here too.
        return nil
    }

    deinit {
        close(descriptor)
    }
}
