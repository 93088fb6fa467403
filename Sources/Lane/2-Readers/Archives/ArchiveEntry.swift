import CLibrary
import OperatingSystem

/// An entry of an archive. All entries of an archive have the same time, and none has an owner or group.
package struct ArchiveEntry: Sendable, Equatable {
    /// The kind of an entry, with its contents.
    package enum Content: Sendable, Equatable {
        case directory
        /// A regular file with these bytes.
        case bytes([UInt8], isExecutable: Bool)
        /// A regular file with the contents of the file at this path.
        case file(String, isExecutable: Bool)
        /// A symbolic link; the target is relative to the directory that contains it.
        case link(String)
    }

    /// The relative path, without leading and trailing slashes.
    package let path: String
    package let content: Content

    package init(_ path: String, _ content: Content) {
        self.path = path
        self.content = content
    }

    /// The permission bits, which depend only on the kind of the entry and on `isExecutable`.
    var mode: UInt32 {
        switch content {
        case .directory: 0o755
        case .bytes(_, let isExecutable), .file(_, let isExecutable): isExecutable ? 0o755 : 0o644
        case .link: 0o777
        }
    }
}

/// The entries of an archive, sorted by the bytes of their paths. Each directory precedes its contents.
package struct ArchiveContents: Sendable, Equatable {
    /// The entries without duplicates, including all parent directories.
    package let entries: [ArchiveEntry]

    /// Creates the contents of an archive from entries. Adds missing parent directories.
    ///
    /// - Throws: An error for unsafe paths, symbolic links to targets outside the archive, and duplicate paths.
    package init(_ given: [ArchiveEntry]) throws(ArchiveError) {
        // The keys are bytes, because strings that are canonically equivalent in Swift name different files.
        var byPath: [[UInt8]: ArchiveEntry] = [:]
        for entry in given {
            guard ArchivePath.isSafe(entry.path) else { throw .unsafePath(entry.path) }
            if case .link(let target) = entry.content, !ArchivePath.staysInside(entry.path, target: target) {
                throw .unsafeLink(entry.path, target: target)
            }
            let path = Array(entry.path.utf8)
            if let earlier = byPath[path], earlier.content != .directory || entry.content != .directory {
                throw .duplicate(entry.path)
            }
            byPath[path] = entry
        }
        for entry in given {
            for parent in ArchivePath.parents(of: entry.path) {
                let path = Array(parent.utf8)
                guard let above = byPath[path] else {
                    byPath[path] = ArchiveEntry(parent, .directory)
                    continue
                }
                guard above.content == .directory else { throw .duplicate(parent) }
            }
        }
        entries = byPath.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// Returns the contents with `directory` as the parent directory of all entries.
    package func below(_ directory: String) throws(ArchiveError) -> ArchiveContents {
        try ArchiveContents(entries.map { ArchiveEntry("\(directory)/\($0.path)", $0.content) })
    }
}

/// Checks of paths in an archive.
package enum ArchivePath {
    /// Returns a Boolean value that indicates whether a path is relative and stays in its directory.
    package static func isSafe(_ path: String) -> Bool {
        !path.isEmpty && !path.utf8.contains(0)
            && path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
            }
    }

    /// Returns a Boolean value that indicates whether the target of a link at `path` is inside the archive. Does not
    /// follow other links.
    static func staysInside(_ path: String, target: String) -> Bool {
        guard !target.isEmpty, !target.isAbsolutePath, !target.utf8.contains(0) else { return false }
        var depth = path.pathComponents.count - 1
        for part in target.pathComponents {
            switch part {
            case ".": continue
            case "..": depth -= 1
            default: depth += 1
            }
            if depth < 0 { return false }
        }
        return true
    }

    /// The number of links that Linux follows before it fails with `ELOOP`.
    private static let maximumLinks = 40

    /// Returns a Boolean value that indicates whether the target of a link at `path` is inside the archive. Follows
    /// other links of the archive. Returns `true` for links in a cycle, which have no target.
    ///
    /// - Parameter links: The targets of all relative links, by the bytes of their paths.
    package static func staysInside(_ path: String, target: String, through links: [[UInt8]: String]) -> Bool {
        var directory = Array(path.pathComponents.dropLast())
        var rest = Array(target.pathComponents.reversed())
        var followed = 0
        while let part = rest.popLast() {
            switch part {
            case ".": continue
            case "..": if directory.popLast() == nil { return false }
            default:
                directory.append(part)
                guard let next = links[Array(directory.joined(separator: "/").utf8)] else { continue }
                followed += 1
                if followed > maximumLinks { return true }
                directory.removeLast()
                rest += next.pathComponents.reversed()
            }
        }
        return true
    }

    /// Returns the parent directories of a path, such as `a` and `a/b` for `a/b/c`.
    static func parents(of path: String) -> [String] {
        var parents: [String] = []
        var parent = ""
        for part in path.pathComponents.dropLast() {
            parent += parent.isEmpty ? String(part) : "/\(part)"
            parents.append(parent)
        }
        return parents
    }
}

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
                    try convertingFileErrors(to: ArchiveError.self, of: linkTarget(source))))
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

extension ArchiveContents {
    /// Writes a reproducible `.tar.gz`. Its bytes depend only on the entries, `modified`, `level` and the version of
    /// libdeflate.
    ///
    /// - Parameters:
    ///   - modified: The modification time of all entries, in seconds since 1970.
    ///   - level: The compression level of libdeflate, from 1 (fast) to 12 (small).
    ///   - threads: The number of threads that compress, at least 1. It does not affect the bytes.
    package func writeTarGzip(
        to path: String, modified: Int64, level: Int = 6, threads: Int = 1
    ) throws(ArchiveError) -> WrittenFile {
        let file = try HashedOutputFile(path)
        var gzip = GzipWriter(level: level, threads: threads) { (member) throws(ArchiveError) in
            try file.write(member)
        }
        let tar = TarWriter(modified: modified) { (bytes) throws(ArchiveError) in try gzip.write(bytes) }
        try tar.write(self)
        try gzip.finish()
        return try file.finish()
    }
}
