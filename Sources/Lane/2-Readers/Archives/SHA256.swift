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

    /// Returns the digest of `bytes`.
    package static func digest(of bytes: [UInt8]) -> SHA256Digest {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.digest()
    }

    /// Returns the digest of a regular file, which is read in chunks.
    package static func digest(ofFile path: String) throws(ArchiveError) -> SHA256Digest {
        var hash = SHA256()
        try convertingFileErrors(to: ArchiveError.self) { () throws(FileError) in
            try readRegularFile(path) { hash.update($0) }
        }
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
