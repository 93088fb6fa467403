#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The free space of a file system for the current user.
package struct FreeSpace: Sendable {
    package let bytes: UInt64
    /// The size of the unit in which files get space.
    package let blockSize: UInt64

    /// Reads the free space of the file system of `path`; `nil` if it is unknown.
    package init?(at path: String) {
        var status = statvfs()
        guard withSystemPath(path, { statvfs($0, &status) }) == 0, status.f_blocks > 0, status.f_frsize > 0 else {
            return nil
        }
        blockSize = UInt64(status.f_frsize)
        bytes = UInt64(geteuid() == 0 ? status.f_bfree : status.f_bavail) * blockSize
    }
}
