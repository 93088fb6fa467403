import CNettle
import OperatingSystem
import Text

/// An incremental SHA-256 hash function (FIPS 180-4).
package struct SHA256: ~Copyable {
    private var state = sha256_ctx()

    package init() {
        nettle_sha256_init(&state)
    }

    /// Appends bytes to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        nettle_sha256_update(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// Returns the digest of all bytes since the last call, and starts a new message.
    package mutating func digest() -> SHA256Digest {
        SHA256Digest { bytes in
            guard let start = bytes.baseAddress else { return }
            nettle_sha256_digest(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
        }
    }

    package static func digest(of bytes: [UInt8]) -> SHA256Digest {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.digest()
    }

    /// Returns the digest of a regular file, which is read in chunks.
    package static func digest(ofFile path: String) throws(ArchiveError) -> SHA256Digest {
        var hash = SHA256()
        try convertingFileErrors(to: ArchiveError.self, of: readFile(path) { hash.update($0) })
        return hash.digest()
    }
}

/// The 32 bytes of a SHA-256 digest, stored inline without an allocation.
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// The size of a digest in bytes.
    package static let size = 32

    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    /// Creates a digest from the bytes that `fill` writes.
    package init(_ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        withUnsafeMutableBytes(of: &self) { fill($0) }
    }

    /// The bytes in the order of the hexadecimal digits.
    package var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

    /// The digest as 64 lowercase hexadecimal digits, as `sha256sum` prints it.
    package var description: String { bytes.hexString }
}

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
                        try FileDigests(entry.path) { (body) throws(FileError) in try readFile(path, body) })
                }
            }
        }
        return digests
    }
}
