#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Returns the reason why a path cannot be read as a file, or `nil` for a file or a missing one.
///
/// Reading a pipe without a writer would block indefinitely.
func obstacle(toReading path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: return "expected a file, found a directory"
    case S_IFIFO: return "expected a file, found a pipe"
    case S_IFSOCK: return "expected a file, found a socket"
    default: return "expected a file, found a device"
    }
}
