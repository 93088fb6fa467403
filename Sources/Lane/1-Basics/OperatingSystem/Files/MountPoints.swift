import CLibrary

/// The mount points of this process. A mount point cannot be replaced or removed.
package struct MountPoints: Sendable {
    private let paths: Set<Substring>

    /// Reads the mount points. On macOS, the set is empty.
    package init() {
        let table = (try? readText("/proc/self/mountinfo")) ?? ""
        paths = Set(
            table.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: " ", maxSplits: 5)
                return fields.count > 4 ? fields[4] : nil
            })
    }

    /// Returns a Boolean value that indicates whether `path`, whose directory has no symbolic links, is a mount point.
    fileprivate func contains(_ path: String) -> Bool {
        // The table contains octal numbers in place of these characters.
        let escaped = path.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x09: Array("\\011".utf8)
            case 0x0A: Array("\\012".utf8)
            case 0x20: Array("\\040".utf8)
            case 0x5C: Array("\\134".utf8)
            default: [byte]
            }
        }
        return paths.contains(String(decoding: escaped, as: UTF8.self)[...])
    }
}

/// Returns the error that would occur if the file at `path` were created, replaced by another, or removed; `nil` if none
/// is foreseeable. The user may be root, to whom modes don't apply but read-only file systems and immutable files do.
package func replacementError(at path: String, _ mounts: MountPoints) -> FileError? {
    let directory = nearestDirectory(above: path)
    // The file in place of the directory may be replaced at the same time.
    guard isDirectory(directory) else { return nil }
    if withSystemPath(directory, { access($0, W_OK | X_OK) }) != 0 { return FileError("write to", directory) }
    guard directory == parentDirectory(path), let kind = fileKind(path) else { return nil }
    if kind == .file, withSystemPath(path, { access($0, W_OK) }) != 0, [EPERM, EROFS].contains(errno) {
        return FileError("replace", path)
    }
    let resolved = resolvedPath(directory) ?? directory
    let isMountPoint = mounts.contains("\(resolved == "/" ? "" : resolved)/\(lastPathComponent(path))")
    return kind != .directory && isMountPoint ? FileError("replace", path, code: EBUSY) : nil
}

/// Returns the error that would occur if the existing file at `path` were changed in place, or `nil`.
package func appendError(at path: String) -> FileError? {
    guard fileExists(path), withSystemPath(path, { access($0, W_OK) }) != 0 else { return nil }
    return FileError("write", path)
}

/// Returns the closest parent of `path` that exists. It may be a file.
package func nearestDirectory(above path: String) -> String {
    var directory = parentDirectory(path)
    while !fileExists(directory), directory != "/", directory != "." { directory = parentDirectory(directory) }
    return directory
}

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
