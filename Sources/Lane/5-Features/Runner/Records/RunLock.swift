import Actions
import CLibrary
import OperatingSystem

/// A lock on the file `.lane/lock`, which prevents two simultaneous runs in one directory. The file names the holder.
///
/// The system releases the lock when the holder ends, so the lock is never stale. The file keeps the name of a holder
/// that was killed. A run that a step of the holder starts in the same directory needs no lock.
package final class RunLock: Sendable {
    /// The error if another run holds the lock.
    package struct Held: Error, Sendable, Equatable {
        /// The description of the holder, such as `lane release (process 123)`. Empty if the holder has not written it
        /// yet.
        package let holder: String
    }

    /// The prefix of the description of a holder that cleans up after a killed run. Other runs wait for this holder.
    package static let cleanupPrefix = "the cleanup after "
    /// The maximum time to wait for such a holder.
    private static let cleanupTimeout = Duration.seconds(10)
    /// The maximum time to wait for any other holder. A process that was just killed releases the lock a moment later.
    private static let acquireTimeout = Duration.milliseconds(200)

    /// The description of the previous holder if it was killed.
    package let predecessor: String?
    private let descriptor: Int32

    private init(_ descriptor: Int32, predecessor: String?) {
        self.descriptor = descriptor
        self.predecessor = predecessor
    }

    /// Acquires the lock of the directory `root`.
    ///
    /// - Parameter holder: A one-line description of this process for other runs.
    /// - Returns: The lock, or `nil` inside a step of the run that holds the lock and in a read-only directory.
    /// - Throws: `Held` if another run holds the lock.
    package static func acquire(
        root: String, holder: String, environment: [String: String]
    ) throws(Held) -> RunLock? {
        guard environment[ChildMark.root] != root else { return nil }
        do {
            try makeDirectories("\(root)/.lane")
        } catch {
            return nil
        }
        let path = "\(root)/.lane/lock"
        let descriptor = withSystemPath(path) { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { return nil }
        let start = Monotonic.now
        var end = start + acquireTimeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            let held = holderName(in: path)
            let now = Monotonic.now
            if held.hasPrefix(cleanupPrefix) { end = min(now + acquireTimeout, start + cleanupTimeout) }
            if code == EWOULDBLOCK, now < end {
                usleep(10_000)
                continue
            }
            close(descriptor)
            guard code == EWOULDBLOCK else { return nil }
            throw Held(holder: held)
        }
        // A holder that was not killed emptied the file.
        let predecessor = lseek(descriptor, 0, SEEK_END) == 0 ? "" : holderName(in: path)
        if !predecessor.isEmpty {
            ftruncate(descriptor, 0)
            try? removeTree(StepScratchFile.directory(below: root))
        }
        var line = holder + "\n"
        line.withUTF8 { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        return RunLock(descriptor, predecessor: predecessor.isEmpty ? nil : predecessor)
    }

    private static func holderName(in path: String) -> String {
        let bytes = (try? readFile(path)) ?? []
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    deinit {
        ftruncate(descriptor, 0)
        close(descriptor)
    }
}
