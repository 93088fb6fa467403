#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file operation that the system refused: which, on what, and why.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried, fit to follow "could not": `read`, `write`, `rename`.
    package let operation: String
    /// As it was given to the operation.
    package let path: String
    /// The system's `errno`.
    package let code: Int32

    package init(_ operation: String, _ path: String, code: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Whether there is no such file, or no such folder on the way to it.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// `could not write 'dist/a.txt': No space left on device`
    package var description: String { "could not \(operation) '\(path)': \(String(cString: strerror(code)))" }
}
