import CLibrary

/// A failed file operation, with its path and the system's error code.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The operation as a verb that can follow "could not", such as `read`, `write` or `move`.
    package let operation: String
    /// The path that was passed to the operation.
    let path: String
    /// The value of `errno` after the failure.
    package let code: Int32

    package init(_ operation: String, _ path: String, code: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// A Boolean value that indicates whether the file, or a directory on the path to it, doesn't exist.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// The code for a directory in place of a file.
    package static var isDirectory: Int32 { EISDIR }
    /// The code for a file in place of a directory.
    package static var isNoDirectory: Int32 { ENOTDIR }

    /// A hint if the user may not access the file or its directory, or `nil` for any other cause.
    package var hint: String? {
        guard code == EACCES else { return nil }
        let found = fileKind(path) == nil ? nearestDirectory(above: path) : path
        guard let status = fileStatus(found) else { return nil }
        let shown = found.readablePath
        return status.st_uid == geteuid()
            ? "chmod u+rw\(fileKind(found) == .directory ? "x" : "") '\(shown)'"
            : "'\(shown)' belongs to the user \(status.st_uid), and lane runs as the user \(geteuid())"
    }

    /// The message, with the hint on a line of its own.
    package var message: String { description + (hint.map { "\nhint: \($0)" } ?? "") }

    private var reason: String {
        // The system has no code for a pipe or a device in place of a file, and a misleading one for a socket.
        let isOther = operation == "read" && (code == EINVAL || code == ENXIO)
        return (isOther ? obstacle(toReading: path) : nil) ?? String(cString: strerror(code))
    }

    /// A message such as `could not write 'dist/a.txt': No space left on device`.
    package var description: String {
        "could not \(operation) '\(path.readablePath)': \(reason)"
    }
}
