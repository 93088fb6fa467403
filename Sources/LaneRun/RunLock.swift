import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps two runs out of one folder: a lock on `.lane/lock`, which also tells who holds it.
///
/// The system lets go of it when the holder ends, however it ends, so a lock is never stale. A run that a step of the
/// holder starts in the same folder needs no lock of its own.
package final class RunLock: Sendable {
    /// The environment variable that tells a step's children in which folder a run is already going on.
    package static let rootVariable = "LANE_ROOT"

    /// Somebody else's run is going on.
    package struct Held: Error, Sendable, Equatable {
        /// As the holder described itself: `lane release (process 123)`; empty when it had no time to.
        package let holder: String

        package init(holder: String) {
            self.holder = holder
        }
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Takes the lock of the folder `root`.
    ///
    /// - Parameter holder: What others are told, one line.
    /// - Returns: `nil` where none is needed, as this is a step of the run that holds it, or none can be had, as nothing
    ///   can be written here.
    package static func take(
        root: String, holder: String, environment: [String: String]
    ) throws(Held) -> RunLock? {
        guard environment[rootVariable] != root else { return nil }
        do {
            try makeDirectories("\(root)/.lane")
        } catch {
            return nil
        }
        let descriptor = openFile("\(root)/.lane/lock")
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(descriptor) }
            guard errno == EWOULDBLOCK else { return nil }
            let text = (try? readText("\(root)/.lane/lock")) ?? ""
            throw Held(holder: text.split(separator: "\n").first.map(String.init) ?? "")
        }
        ftruncate(descriptor, 0)
        var line = holder + "\n"
        line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
        return RunLock(descriptor)
    }

    deinit {
        ftruncate(descriptor, 0)
        close(descriptor)
    }

    private static func openFile(_ path: String) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        #else
            Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        #endif
    }
}
