import CLibrary

/// An exclusive lock of a file. It ends with the value or the process.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Acquires the lock, and creates the file if necessary. Waits until no other process holds the lock.
    package convenience init(_ path: String) throws(FileError) {
        try self.init(opening: path)
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw FileError("lock", path) }
        }
    }

    /// Acquires the lock, and creates the file if necessary. Returns `nil` if another process still holds the lock after
    /// a fifth of a second, in which a process that was just killed releases it.
    package convenience init?(ifFree path: String) throws(FileError) {
        try self.init(opening: path)
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            // On a file system without locks, two processes could hold the lock at the same time.
            guard errno == EWOULDBLOCK || errno == EINTR else { throw FileError("lock", path) }
            usleep(10_000)
        }
        return nil
    }

    private init(opening path: String) throws(FileError) {
        descriptor = withSystemPath(path) { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw FileError("write", path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
