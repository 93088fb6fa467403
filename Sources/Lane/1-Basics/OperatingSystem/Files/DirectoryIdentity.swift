#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The device and inode of a directory, which are the same for every path to it.
package struct DirectoryIdentity: Hashable, Sendable {
    /// An identifier of a file system.
    package typealias Device = UInt64

    /// The file system of the directory.
    package let device: Device
    private let inode: UInt64

    /// Creates the identity of the directory at `path`, after following symbolic links; `nil` if there is none.
    package init?(_ path: String) {
        var status = stat()
        guard withSystemPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Returns the identities of a directory and of all its parents.
    package static func ancestors(of path: String) -> Set<DirectoryIdentity> {
        var found: Set<DirectoryIdentity> = []
        var next = resolvedPath(path) ?? path
        while let directory = DirectoryIdentity(next), found.insert(directory).inserted { next = parentDirectory(next) }
        return found
    }
}
