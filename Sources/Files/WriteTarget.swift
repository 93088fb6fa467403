#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where bytes for a path have to go.
enum WriteTarget {
    /// A file, whether it is there or not, behind all links: it can be replaced as a whole.
    case file(String)
    /// A device or a pipe, which must stay what it is: the bytes go into it.
    case stream(String)
    /// What this process has open, as `/dev/stdout` says: more than our bytes goes there, one behind the other.
    case descriptor(Int32)

    /// As many links as Linux follows itself.
    private static let mostLinks = 40

    init(_ path: String) throws(FileError) {
        var target = path
        for _ in 0...Self.mostLinks {
            guard let link = try? linkTarget(target) else {
                var status = stat()
                let isOther = stat(target, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
                self = isOther ? .stream(target) : .file(target)
                return
            }
            let folder = parentDirectory(target)
            if let number = Int32(lastPathComponent(target)), resolvedPath(folder) == "/proc/\(getpid())/fd" {
                self = .descriptor(number)
                return
            }
            target = link.isAbsolutePath ? link : "\(folder)/\(link)"
        }
        throw FileError("write", path, code: ELOOP)
    }
}
