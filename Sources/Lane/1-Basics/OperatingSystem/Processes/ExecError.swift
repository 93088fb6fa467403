#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The reason why the system cannot execute an existing file.
package enum ExecError: Sendable, Equatable {
    case directory
    /// The file has no execute permission.
    case notExecutable
    /// The first line names an interpreter that does not exist.
    case noInterpreter(String)

    /// Creates the reason for an error of `execve`; `nil` for any other reason.
    ///
    /// - Parameter path: The path of the file.
    init?(_ path: String, errno code: Int32) {
        switch code {
        case EACCES:
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            if status.st_mode & S_IFMT == S_IFDIR {
                self = .directory
            } else if access(path, X_OK) != 0 {
                self = .notExecutable
            } else {
                return nil
            }
        case ENOENT:
            guard let interpreter = Self.interpreter(of: path), access(interpreter, F_OK) != 0 else { return nil }
            self = .noInterpreter(interpreter)
        default: return nil
        }
    }

    /// Returns the interpreter of a script as the system reads it, with a carriage return at the end if there is one.
    private static func interpreter(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Linux reads only this many bytes.
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 2, bytes.starts(with: "#!".utf8) else { return nil }
        let blanks = " \t".utf8
        let line = bytes[2..<count].prefix { $0 != UInt8(ascii: "\n") }.drop { blanks.contains($0) }
        return String(decoding: line.prefix { !blanks.contains($0) }, as: UTF8.self)
    }
}
