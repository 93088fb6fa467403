import CLibrary

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

/// Returns the status of the file at `path` after following symbolic links, or `nil` if there is none.
func fileStatus(_ path: String) -> stat? {
    var status = stat()
    return withSystemPath(path) { stat($0, &status) } == 0 ? status : nil
}

/// Returns a Boolean value that indicates whether `path` exists, after following symbolic links.
package func fileExists(_ path: String) -> Bool {
    withSystemPath(path) { access($0, F_OK) } == 0
}

/// Returns a Boolean value that indicates whether `path` is a directory, after following symbolic links.
package func isDirectory(_ path: String) -> Bool {
    fileStatus(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
}

/// Returns a Boolean value that indicates whether `path` is a pipe, after following symbolic links.
package func isPipe(_ path: String) -> Bool {
    fileStatus(path).map { $0.st_mode & S_IFMT == S_IFIFO } ?? false
}

/// Returns a Boolean value that indicates whether `path` can be executed, after following symbolic links.
package func isExecutable(_ path: String) -> Bool {
    withSystemPath(path) { access($0, X_OK) } == 0
}

/// Returns the reason why a path cannot be read as a file, or `nil` for an existing or missing file.
///
/// Reading a pipe without a writer would block indefinitely.
package func obstacle(toReading path: String) -> String? {
    guard let status = fileStatus(path) else {
        guard errno == ENOENT, let target = try? linkTarget(path) else { return nil }
        return "expected a file, found a broken link to '\(target.readablePath)'"
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: return "expected a file, found a directory"
    case S_IFIFO: return "expected a file, found a pipe"
    case S_IFSOCK: return "expected a file, found a socket"
    default: return "expected a file, found a device"
    }
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
    guard let status = fileStatus(path) else { throw FileError("read", path) }
    return Int(status.st_size)
}

/// The device and inode of a file or directory, which are the same for every path to it.
package struct FileIdentity: Hashable, Sendable {
    /// An identifier of a file system.
    package typealias Device = UInt64

    /// The file system of the file.
    package let device: Device
    private let inode: UInt64
    /// The type of the file.
    private let type: mode_t

    /// Creates the identity of the file at `path`, after following symbolic links; `nil` if there is none.
    package init?(_ path: String) {
        guard let status = fileStatus(path) else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        type = status.st_mode & S_IFMT
    }

    /// Creates the identity of the directory at `path`; `nil` if there is none.
    package init?(directory path: String) {
        self.init(path)
        guard type == S_IFDIR else { return nil }
    }

    /// A Boolean value that indicates whether the file is neither a directory nor a device or pipe.
    package var isRegular: Bool { type == S_IFREG }

    /// Returns the identities of a directory and of all its parents.
    package static func ancestors(of path: String) -> Set<FileIdentity> {
        var found: Set<FileIdentity> = []
        var next = resolvedPath(path) ?? path
        while let directory = FileIdentity(directory: next), found.insert(directory).inserted {
            next = parentDirectory(next)
        }
        return found
    }
}
