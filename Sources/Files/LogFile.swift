#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is written while others may already read it.
package final class LogFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Empties the file at `path`, or makes it; a pipe is taken as it is.
    package init(_ path: String) throws(FileError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o666)
        self.path = path
        guard descriptor >= 0 else { throw FileError("write", path) }
    }

    /// Adds to the end of the file; a short write goes on until all of it is there.
    package func append(_ bytes: [UInt8]) throws(FileError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
            try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: path)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
