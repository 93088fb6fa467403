import Files
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps two runs out of one folder: a lock on `.lane/lock`, which also tells who holds it.
///
/// The system lets go of it when the holder ends, however it ends, so a lock is never stale; what a holder that was killed
/// left of its name is told to the next one. A run that a step of the holder starts in the same folder needs no lock of
/// its own.
package final class RunLock: Sendable {
    /// Somebody else's run is going on.
    package struct Held: Error, Sendable, Equatable {
        /// As the holder described itself: `lane release (process 123)`; empty when it had no time to.
        package let holder: String

        package init(holder: String) {
            self.holder = holder
        }
    }

    /// How a holder begins that only ends what a killed run has left; others wait for it.
    package static let cleaner = "the clearing up after "
    /// How long they wait for it.
    private static let longestCleaning = Duration.seconds(10)
    /// How long for any other: one that was just killed lets go of the lock a moment later.
    private static let patience = Duration.milliseconds(200)

    /// The holder before this one, if it was killed.
    package let predecessor: String?
    private let descriptor: Int32

    private init(_ descriptor: Int32, predecessor: String?) {
        self.descriptor = descriptor
        self.predecessor = predecessor
    }

    /// Takes the lock of the folder `root`.
    ///
    /// - Parameter holder: What others are told, one line.
    /// - Returns: `nil` where none is needed, as this is a step of the run that holds it, or none can be had, as nothing
    ///   can be written here.
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
        // A holder that ended well left nothing behind.
        let predecessor = lseek(descriptor, 0, SEEK_END) == 0 ? "" : holderName(in: path)
        if !predecessor.isEmpty {
            ftruncate(descriptor, 0)
            try? removeTree(LaneOutput.directory(below: root))
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
