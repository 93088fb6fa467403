#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is only appended to, so other processes can read it while it grows.
package final class LogFile: Sendable {
    private let descriptor: Int32
    package let path: String

    /// Creates the file at `path`, or truncates an existing file. Opens a named pipe for writing.
    package init(_ path: String) throws(FileError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC
        descriptor = withSystemPath(path) { open($0, flags, 0o666) }
        self.path = path
        guard descriptor >= 0 else { throw FileError("write", path) }
    }

    /// Appends all of `bytes`, with several system calls if necessary.
    package func append(_ bytes: [UInt8]) throws(FileError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
            try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: path)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
