import CNettle
import OperatingSystem
import Text

/// The SHA-1 and SHA-256 digests of a file. SPDX requires SHA-1 to name the files of a package; nothing relies on it.
package struct FileDigests: Sendable, Equatable {
    /// The path in the archive.
    package let path: String
    /// The 40 lowercase hexadecimal digits.
    package let sha1: String
    package let sha256: SHA256Digest

    init(
        _ path: String, _ forEachChunk: ((UnsafeRawBufferPointer) -> Void) throws(FileError) -> Void
    ) throws(FileError) {
        var sha1 = SHA1()
        var sha256 = SHA256()
        try forEachChunk { chunk in
            sha1.update(chunk)
            sha256.update(chunk)
        }
        (self.path, self.sha1, self.sha256) = (path, sha1.hexDigest(), sha256.digest())
    }
}

/// An incremental SHA-1 hash function (FIPS 180-4).
package struct SHA1: ~Copyable {
    private var state = sha1_ctx()

    package init() {
        nettle_sha1_init(&state)
    }

    /// Appends bytes to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        nettle_sha1_update(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// Returns the digest as 40 lowercase hexadecimal digits.
    package mutating func hexDigest() -> String {
        var bytes = [UInt8](repeating: 0, count: 20)
        nettle_sha1_digest(&state, bytes.count, &bytes)
        return bytes.hexString
    }
}

extension ArchiveContents {
    /// Returns the digests of all files, in the order of the entries. Directories and links have none.
    package func digests() throws(ArchiveError) -> [FileDigests] {
        var digests: [FileDigests] = []
        for entry in entries {
            try convertingFileErrors(to: ArchiveError.self) { () throws(FileError) in
                switch entry.content {
                case .directory, .link: break
                case .bytes(let bytes, _):
                    digests.append(try FileDigests(entry.path) { body in bytes.withUnsafeBytes { body($0) } })
                case .file(let path, _):
                    digests.append(
                        try FileDigests(entry.path) { (body) throws(FileError) in try readRegularFile(path, body) })
                }
            }
        }
        return digests
    }
}
