import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Standard output or standard error. Remembers the first failed write, so that a full disk is an error and a reader that
/// went away is not.
package final class OutputChannel: Sendable {
    /// The file descriptor written to.
    package let descriptor: Int32
    private let name: String
    private let failure = Mutex<FileError?>(nil)

    /// A channel by its descriptor and the name that people know it by.
    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes at once; after a failure, does nothing.
    package func write(_ bytes: [UInt8]) {
        failure.withLock { failure in
            guard failure == nil, !bytes.isEmpty else { return }
            do throws(FileError) {
                try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
                    try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: name)
                }
            } catch {
                failure = error
            }
        }
    }

    /// Writes text at once; after a failure, does nothing.
    package func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes text and a line end at once.
    package func writeLine(_ text: String) { write(text + "\n") }

    /// What went wrong, unless it was only that the reader had gone.
    package var unwritten: FileError? {
        failure.withLock { $0?.code == EPIPE ? nil : $0 }
    }
}
