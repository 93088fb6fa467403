#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why something that a person names as a file is not read; `nil` when there is nothing, or a file.
///
/// Whoever reads a pipe that nobody writes to waits for ever.
func obstacle(toReading path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: return "expected a file, found a folder"
    case S_IFIFO: return "expected a file, found a pipe"
    case S_IFSOCK: return "expected a file, found a socket"
    default: return "expected a file, found a device"
    }
}
