import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension ArchiveContents {
    /// Everything below a folder on disk; a file counts as executable when its owner may execute it.
    package static func tree(at root: String) throws(ArchiveError) -> ArchiveContents {
        var entries: [ArchiveEntry] = []
        try collect(root, "", into: &entries)
        return try ArchiveContents(entries)
    }

    /// The entry for one path on disk.
    package static func entry(_ path: String, from source: String) throws(ArchiveError) -> ArchiveEntry {
        var status = stat()
        guard lstat(source, &status) == 0 else { throw .file(FileError("read", source)) }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: ArchiveEntry(path, .directory)
        case S_IFREG: ArchiveEntry(path, .file(source, isExecutable: status.st_mode & S_IXUSR != 0))
        case S_IFLNK: ArchiveEntry(path, .link(try target(of: source)))
        default: throw .unsupportedKind(source)
        }
    }

    private static func collect(
        _ folder: String, _ prefix: String, into entries: inout [ArchiveEntry]
    ) throws(ArchiveError) {
        for name in try names(in: folder) {
            let entry = try entry("\(prefix)\(name)", from: "\(folder)/\(name)")
            entries.append(entry)
            if entry.content == .directory { try collect("\(folder)/\(name)", "\(entry.path)/", into: &entries) }
        }
    }

    private static func names(in folder: String) throws(ArchiveError) -> [String] {
        do throws(FileError) { return try listDirectory(folder) } catch { throw .file(error) }
    }

    private static func target(of link: String) throws(ArchiveError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        guard count >= 0 else { throw .file(FileError("read", link)) }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
