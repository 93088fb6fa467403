import Files
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A lock on `.lane/lock`, which keeps two runs out of one directory and names its holder.
///
/// The system releases the lock when the holder ends, so it is never stale. The name of a killed holder stays in the file
/// for the next one. A run that a step of the holder starts in the same directory needs no lock of its own.
package final class RunLock: Sendable {
    /// The error when another run holds the lock.
    package struct Held: Error, Sendable, Equatable {
        /// The holder's description of itself: `lane release (process 123)`. Empty if it has not written one yet.
        package let holder: String

        package init(holder: String) {
            self.holder = holder
        }
    }

    /// The beginning of the description of a holder that only cleans up after a killed run. Others wait for it.
    package static let cleaner = "the clearing up after "
    /// The longest wait for such a holder.
    private static let longestCleaning = Duration.seconds(10)
    /// The longest wait for any other. A process that was just killed releases the lock a moment later.
    private static let patience = Duration.milliseconds(200)

    /// The description of the previous holder, if it was killed.
    package let predecessor: String?
    private let descriptor: Int32

    private init(_ descriptor: Int32, predecessor: String?) {
        self.descriptor = descriptor
        self.predecessor = predecessor
    }

    /// Takes the lock of the directory `root`.
    ///
    /// - Parameter holder: The description for others, one line.
    /// - Returns: `nil` within a step of the run that holds the lock, and in a directory that is not writable.
    /// - Throws: `Held` when another run holds the lock.
    package static func take(
        root: String, holder: String, environment: [String: String]
    ) throws(Held) -> RunLock? {
        guard environment[ChildMark.root] != root else { return nil }
        do {
            try makeDirectories("\(root)/.lane")
        } catch {
            return nil
        }
        let path = "\(root)/.lane/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        let start = Monotonic.now
        var end = start + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            let held = holderName(in: path)
            let now = Monotonic.now
            if held.hasPrefix(cleaner) { end = min(now + patience, start + longestCleaning) }
            if code == EWOULDBLOCK, now < end {
                usleep(10_000)
                continue
            }
            close(descriptor)
            guard code == EWOULDBLOCK else { return nil }
            throw Held(holder: held)
        }
        // A holder that was not killed has emptied the file.
        let predecessor = lseek(descriptor, 0, SEEK_END) == 0 ? "" : holderName(in: path)
        if !predecessor.isEmpty {
            ftruncate(descriptor, 0)
            try? removeTree(StepFile.directory(below: root))
        }
        var line = holder + "\n"
        line.withUTF8 { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        return RunLock(descriptor, predecessor: predecessor.isEmpty ? nil : predecessor)
    }

    private static func holderName(in path: String) -> String {
        let bytes = (try? readRegularFile(path)) ?? []
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    deinit {
        ftruncate(descriptor, 0)
        close(descriptor)
    }
}
