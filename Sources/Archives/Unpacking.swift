import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What an archive holds, as far as a person wants to see it.
package struct ArchiveListing: Sendable, Equatable {
    let path: String
    let size: Int
    let isExecutable: Bool
    let isDirectory: Bool
}

/// Reads `.tar.gz` files that need not be ours.
package enum TarGzip {
    /// Longer than any package; a bomb ends here.
    static let defaultLimit = 4 << 30

    /// The members in the order of the archive, which is read whole; `limit` is the most that it may unpack to, in
    /// bytes.
    package static func list(_ archive: String, limit: Int = defaultLimit) throws(ArchiveError) -> [ArchiveListing] {
        try members(archive, limit: limit).members.map { member in
            ArchiveListing(
                path: member.path, size: member.range.count, isExecutable: member.mode & 0o100 != 0,
                isDirectory: member.kind == .directory)
        }
    }

    /// Unpacks into a folder that exists and is nobody else's meanwhile. Everything is checked before the first write:
    /// absolute paths, `..`, links that lead out, entries below a link, entries given twice, and special files are
    /// refused. Owners and times in the archive are ignored.
    package static func unpack(
        _ archive: String, into folder: String, limit: Int = defaultLimit
    ) throws(ArchiveError) {
        let (bytes, members) = try members(archive, limit: limit)
        try check(members)
        for member in members {
            for parent in ArchivePath.parents(of: member.path) { mkdir("\(folder)/\(parent)", 0o755) }
            try write(member, bytes, into: folder)
        }
    }

    private static func members(
        _ archive: String, limit: Int
    ) throws(ArchiveError) -> (bytes: [UInt8], members: [TarReader.Member]) {
        let packed = try onFiles { () throws(FileError) in try readFile(archive) }
        let bytes = try GzipReader.decompress(packed, limit: limit)
        return (bytes, try TarReader.members(of: bytes))
    }

    private static func check(_ members: [TarReader.Member]) throws(ArchiveError) {
        var kinds: [String: TarReader.Member.Kind] = [:]
        for member in members {
            guard ArchivePath.isSafe(member.path) else { throw .unsafePath(member.path) }
            switch member.kind {
            case .link(let target):
                guard ArchivePath.staysInside(member.path, target: target) else {
                    throw .unsafeLink(member.path, target: target)
                }
            case .hardLink(let target):
                guard kinds[target] == .file else { throw .unsafeLink(member.path, target: target) }
            case .file, .directory: break
            }
            if let earlier = kinds[member.path], earlier != .directory || member.kind != .directory {
                throw .duplicate(member.path)
            }
            kinds[member.path] = member.kind
        }
        for member in members {
            for parent in ArchivePath.parents(of: member.path) where kinds[parent] ?? .directory != .directory {
                throw .unsafePath(member.path)
            }
            // Behind another link `..` means another folder than it says, so no link may lead through one.
            guard case .link(let target) = member.kind else { continue }
            for step in ArchivePath.steps(from: member.path, to: target) {
                if case .link = kinds[step] { throw .unsafeLink(member.path, target: target) }
            }
        }
    }

    private static func write(
        _ member: TarReader.Member, _ bytes: [UInt8], into folder: String
    ) throws(ArchiveError) {
        let path = "\(folder)/\(member.path)"
        switch member.kind {
        case .directory:
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .file(FileError("make", path)) }
        case .link(let target):
            guard symlink(target, path) == 0 else { throw .file(FileError("make", path)) }
        case .hardLink(let target):
            guard link("\(folder)/\(target)", path) == 0 else { throw .file(FileError("make", path)) }
        case .file:
            try OutputFile.write(Array(bytes[member.range]), to: path, isExecutable: member.mode & 0o100 != 0)
        }
    }
}
