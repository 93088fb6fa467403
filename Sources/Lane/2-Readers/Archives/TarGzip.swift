import CLibrary
import OperatingSystem

/// Functions that unpack `.tar.gz` files from untrusted sources.
package enum TarGzip {
    /// The default limit of the unpacked size, 4 GiB in bytes. It prevents decompression bombs.
    static let defaultLimit = 4 << 30

    /// Unpacks an archive into an existing directory. No other process may modify the directory meanwhile.
    ///
    /// All entries are checked before the first write. Absolute paths, `..`, links to targets outside the archive,
    /// entries below a link, duplicate entries and special files are errors. Owners and times in the archive are
    /// ignored.
    package static func unpack(
        _ archive: String, into directory: String, limit: Int = defaultLimit
    ) throws(ArchiveError) {
        let (bytes, members) = try checkedMembers(archive, limit: limit)
        try write(members, bytes, into: directory, isDurable: true)
    }

    /// Unpacks an archive like `unpack(_:into:limit:)`, but does not flush the files to disk. Returns the files.
    package static func unpackTemporarily(
        _ archive: String, into directory: String
    ) throws(ArchiveError) -> [WrittenFile] {
        let (bytes, members) = try checkedMembers(archive, limit: defaultLimit)
        // In parallel, because writing the files takes as long as computing their digests.
        let results = concurrentMap(2, threads: 2) { part -> Result<[WrittenFile], ArchiveError> in
            guard part == 0 else { return .success(files(of: members, bytes, in: directory)) }
            do throws(ArchiveError) {
                try write(members, bytes, into: directory, isDurable: false)
                return .success([])
            } catch {
                return .failure(error)
            }
        }
        return try results.map { (result) throws(ArchiveError) in try result.get() }.flatMap { $0 }
    }

    /// Returns the SHA-256 of each file in an archive by its path, without unpacking it. Throws for an archive that
    /// `unpack(_:into:limit:)` would refuse.
    package static func digests(
        ofFilesIn archive: String
    ) throws(ArchiveError) -> [String: SHA256Digest] {
        let (bytes, members) = try checkedMembers(archive, limit: defaultLimit)
        return Dictionary(files(of: members, bytes, in: ".").map { (String($0.path.dropFirst(2)), $0.sha256) }) { $1 }
    }

    private static func write(
        _ members: [TarReader.Member], _ bytes: [UInt8], into directory: String, isDurable: Bool
    ) throws(ArchiveError) {
        for member in members {
            for parent in ArchivePath.parents(of: member.path) { mkdir("\(directory)/\(parent)", 0o755) }
            try write(member, bytes, into: directory, isDurable: isDurable)
        }
    }

    /// Returns the files with their digests.
    private static func files(
        of members: [TarReader.Member], _ bytes: [UInt8], in directory: String
    ) -> [WrittenFile] {
        members.filter { $0.kind == .file }.map { member in
            var hash = SHA256()
            bytes[member.range].withUnsafeBytes { hash.update($0) }
            return WrittenFile(
                path: "\(directory)/\(member.path)", size: member.range.count, sha256: hash.digest())
        }
    }

    /// Returns the bytes of the unpacked archive, and its members, which are safe to write.
    private static func checkedMembers(
        _ archive: String, limit: Int
    ) throws(ArchiveError) -> (bytes: [UInt8], members: [TarReader.Member]) {
        let packed = try convertingFileErrors(to: ArchiveError.self, of: readStream(archive))
        let bytes = try GzipReader.decompress(packed, limit: limit)
        let members = try TarReader.members(of: bytes)
        try check(members)
        return (bytes, members)
    }

    private static func check(_ members: [TarReader.Member]) throws(ArchiveError) {
        // The keys are bytes, because strings that are canonically equivalent in Swift name different files.
        var kinds: [[UInt8]: TarReader.Member.Kind] = [:]
        for member in members {
            guard ArchivePath.isSafe(member.path) else { throw .unsafePath(member.path) }
            switch member.kind {
            case .link(let target):
                guard ArchivePath.staysInside(member.path, target: target) else {
                    throw .unsafeLink(member.path, target: target)
                }
            case .hardLink(let target):
                guard kinds[Array(target.utf8)] == .file else { throw .unsafeLink(member.path, target: target) }
            case .file, .directory: break
            }
            let path = Array(member.path.utf8)
            if let earlier = kinds[path], earlier != .directory || member.kind != .directory {
                throw .duplicate(member.path)
            }
            kinds[path] = member.kind
        }
        let links = kinds.compactMapValues { if case .link(let target) = $0 { target } else { nil } }
        for member in members {
            for parent in ArchivePath.parents(of: member.path)
            where kinds[Array(parent.utf8)] ?? .directory != .directory { throw .unsafePath(member.path) }
            // After another link, `..` refers to the parent of that link's target.
            if case .link(let target) = member.kind,
                !ArchivePath.staysInside(member.path, target: target, through: links)
            {
                throw .unsafeLink(member.path, target: target)
            }
        }
    }

    private static func write(
        _ member: TarReader.Member, _ bytes: [UInt8], into directory: String, isDurable: Bool
    ) throws(ArchiveError) {
        let path = "\(directory)/\(member.path)"
        switch member.kind {
        case .directory:
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .file(FileError("create", path)) }
        case .link(let target):
            guard symlink(target, path) == 0 else { throw .file(FileError("create", path)) }
        case .hardLink(let target):
            guard link("\(directory)/\(target)", path) == 0 else { throw .file(FileError("create", path)) }
        case .file:
            let file = try OutputFile(path, isExecutable: member.mode & 0o100 != 0)
            try bytes[member.range].withUnsafeBufferPointer { (content) throws(ArchiveError) in
                try file.write(UnsafeRawBufferPointer(content))
            }
            try file.finish(isDurable: isDurable)
        }
    }
}
