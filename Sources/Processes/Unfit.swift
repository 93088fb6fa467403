#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why a file that is there is no program.
package enum Unfit: Sendable, Equatable {
    case folder
    /// Nobody may run it.
    case notExecutable
    /// Its first line names a program that is not there.
    case noInterpreter(String)

    /// What made the system refuse to run a file; `nil` where it is another reason.
    ///
    /// - Parameter path: The file, absolute or from the working directory.
    init?(_ path: String, errno code: Int32) {
        switch code {
        case EACCES:
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            if status.st_mode & S_IFMT == S_IFDIR {
                self = .folder
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

    /// What stands behind the `#!` of a script, as the system reads it: carriage returns are part of it.
    private static func interpreter(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Linux looks at no more.
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 2, bytes.starts(with: "#!".utf8) else { return nil }
        let blanks = " \t".utf8
        let line = bytes[2..<count].prefix { $0 != UInt8(ascii: "\n") }.drop { blanks.contains($0) }
        return String(decoding: line.prefix { !blanks.contains($0) }, as: UTF8.self)
    }
}
