package import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Standard output or standard error. Remembers the first failed write, so that a full disk is an error and a reader that
/// went away is not.
package final class OutputChannel {
    private let descriptor: Int32
    private let name: String
    private var failure: FileError?

    /// A channel by its descriptor and the name that people know it by.
    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes at once; after a failure, does nothing.
    package func write(_ text: String) {
        guard failure == nil else { return }
        do throws(FileError) {
            try Array(text.utf8).withUnsafeBufferPointer { (buffer) throws(FileError) in
                try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: name)
            }
        } catch {
            failure = error
        }
    }

    /// What went wrong, unless it was only that the reader had gone.
    package var unwritten: FileError? {
        failure?.code == EPIPE ? nil : failure
    }
}
