#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
        var status = stat()
        guard withSystemPath(path, { stat($0, &status) }) == 0 else { return nil }
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
