#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file operation that the system refused: which, on what, and why.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried, fit to follow "could not": `read`, `write`, `rename`.
    package let operation: String
    package let path: String
    package let code: Int32

    package init(_ operation: String, _ path: String, code: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// `could not write 'dist/a.txt': No space left on device`
    package var description: String { "could not \(operation) '\(path)': \(String(cString: strerror(code)))" }
}
