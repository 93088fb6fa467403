#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The destination of a write to a path.
enum WriteTarget {
    /// The path of a regular or missing file, after all links. A write replaces the file atomically.
    case file(String)
    /// The path of a device or a pipe. A write does not replace it.
    case stream(String)
    /// An open descriptor of this process, such as `/dev/stdout`. A write appends to it, because other code writes to
    /// it as well.
    case descriptor(Int32)

    /// The number of links that Linux follows before it fails with `ELOOP`.
    private static let maximumLinks = 40

    init(_ path: String) throws(FileError) {
        var target = path
        for _ in 0...Self.maximumLinks {
            guard let link = try? linkTarget(target) else {
                var status = stat()
                let isOther = withSystemPath(target) { stat($0, &status) } == 0 && status.st_mode & S_IFMT != S_IFREG
                self = isOther ? .stream(target) : .file(target)
                return
            }
            let directory = parentDirectory(target)
            if let number = Int32(lastPathComponent(target)), resolvedPath(directory) == "/proc/\(getpid())/fd" {
                self = .descriptor(number)
                return
            }
            target = link.isAbsolutePath ? link : "\(directory)/\(link)"
        }
        throw FileError("write", path, code: ELOOP)
    }
}
