import OperatingSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension ArchiveContents {
    /// Returns the contents of a directory on disk. A file is executable if its owner may execute it.
    package static func tree(at root: String) throws(ArchiveError) -> ArchiveContents {
        var entries: [ArchiveEntry] = []
        try collect(root, "", into: &entries)
        return try ArchiveContents(entries)
    }

    /// Returns the entry for a file, directory or symbolic link on disk.
    ///
    /// - Parameters:
    ///   - path: The path in the archive.
    ///   - source: The path on disk.
    package static func entry(_ path: String, from source: String) throws(ArchiveError) -> ArchiveEntry {
        var status = stat()
        guard lstat(source, &status) == 0 else { throw .file(FileError("read", source)) }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: ArchiveEntry(path, .directory)
        case S_IFREG: ArchiveEntry(path, .file(source, isExecutable: status.st_mode & S_IXUSR != 0))
        case S_IFLNK:
            ArchiveEntry(
                path,
                .link(
                    try convertingFileErrors(to: ArchiveError.self) { () throws(FileError) in try linkTarget(source) }))
        default: throw .unsupportedKind(source)
        }
    }

    private static func collect(
        _ directory: String, _ prefix: String, into entries: inout [ArchiveEntry]
    ) throws(ArchiveError) {
        for name in try convertingFileErrors(
            to: ArchiveError.self, { () throws(FileError) in try listDirectory(directory) })
        {
            let entry = try entry("\(prefix)\(name)", from: "\(directory)/\(name)")
            entries.append(entry)
            if entry.content == .directory { try collect("\(directory)/\(name)", "\(entry.path)/", into: &entries) }
        }
    }
}
