import CLibrary
import Synchronization

/// Standard output or standard error, with a record of the first failed write.
///
/// A full disk is an error. A closed pipe is not, because its reader has exited.
package final class OutputChannel: Sendable {
    /// The file descriptor that is written to.
    package let descriptor: Int32
    private let name: String
    private let clean: @Sendable (String) -> String
    private let failure = Mutex<FileError?>(nil)

    /// Creates a channel; `name` is used in error messages.
    ///
    /// - Parameter clean: Returns a text without the characters that must not be printed.
    package init(descriptor: Int32, name: String, clean: @escaping @Sendable (String) -> String = { $0 }) {
        self.descriptor = descriptor
        self.name = name
        self.clean = clean
    }

    /// Writes bytes without buffering. Does nothing after a failed write.
    package func write(_ bytes: [UInt8]) {
        failure.withLock { failure in
            guard failure == nil, !bytes.isEmpty else { return }
            do throws(FileError) {
                try writeAll(bytes, to: descriptor, named: name)
            } catch {
                failure = error
            }
        }
    }

    /// Cleans text and writes it without buffering. Does nothing after a failed write.
    package func write(_ text: String) { write(Array(clean(text).utf8)) }

    /// Writes text and a line feed without buffering.
    package func writeLine(_ text: String) { write(text + "\n") }

    /// The error of the first failed write; `nil` if all writes succeeded or the reader closed the pipe.
    package var writeError: FileError? {
        failure.withLock { $0?.code == EPIPE ? nil : $0 }
    }
}

/// A file that is only appended to, so other processes can read it while it grows.
package final class LogFile: Sendable {
    private let descriptor: Int32
    package let path: String

    /// Creates the file at `path`, or truncates an existing file. Opens a named pipe for writing.
    package convenience init(_ path: String) throws(FileError) { try self.init(path, O_CREAT | O_TRUNC) }

    init(_ path: String, _ flags: Int32) throws(FileError) {
        descriptor = withSystemPath(path) { open($0, O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0o666) }
        self.path = path
        guard descriptor >= 0 else { throw FileError("write", path) }
    }

    /// Appends all of `bytes`, with several system calls if necessary.
    package func append(_ bytes: [UInt8]) throws(FileError) {
        try writeAll(bytes, to: descriptor, named: path)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
