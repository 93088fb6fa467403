#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The type of a directory entry.
package enum FileKind: Sendable, Equatable {
    case file, directory, link, other
}

/// Returns the type of the entry at `path` without following symbolic links, or `nil` if there is none.
package func fileKind(_ path: String) -> FileKind? {
    var status = stat()
    guard withSystemPath(path, { lstat($0, &status) }) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .link
    default: .other
    }
}

/// Returns a Boolean value that indicates whether `path` exists, after following symbolic links.
package func fileExists(_ path: String) -> Bool {
    withSystemPath(path) { access($0, F_OK) } == 0
}

/// Returns a Boolean value that indicates whether `path` is a directory, after following symbolic links.
package func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return withSystemPath(path) { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Returns the target of a symbolic link as the link contains it, which may be relative.
package func linkTarget(_ path: String) throws(FileError) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = withSystemPath(path) { readlink($0, &bytes, bytes.count) }
    guard count >= 0 else { throw FileError("read", path) }
    return String(pathBytes: bytes[..<count].map(UInt8.init(bitPattern:)))
}

/// Returns the size of a file in bytes, after following symbolic links.
package func fileSize(_ path: String) throws(FileError) -> Int {
    var status = stat()
    guard withSystemPath(path, { stat($0, &status) }) == 0 else { throw FileError("read", path) }
    return Int(status.st_size)
}
