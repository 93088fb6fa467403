import ASCII
import CNettle
import Files

/// A running SHA-256 (FIPS 180-4).
package struct SHA256: ~Copyable {
    private var state = sha256_ctx()

    package init() {
        nettle_sha256_init(&state)
    }

    /// Takes in further bytes; how they are cut into pieces makes no difference.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        nettle_sha256_update(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// The digest of everything since the beginning or the last digest.
    package mutating func digest() -> SHA256Digest {
        SHA256Digest { bytes in
            guard let start = bytes.baseAddress else { return }
            nettle_sha256_digest(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The digest of bytes that are all at hand.
    package static func digest(of bytes: [UInt8]) -> SHA256Digest {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.digest()
    }

    /// The digest of a file's content, read in pieces.
    package static func digest(ofFile path: String) throws(ArchiveError) -> SHA256Digest {
        var hash = SHA256()
        try onFiles { () throws(FileError) in try readFile(path) { hash.update($0) } }
        return hash.digest()
    }
}

/// The 32 bytes of a SHA-256. Held in place, as there may be many.
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// In bytes.
    package static let size = 32

    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    /// Filled by whoever knows its bytes.
    package init(_ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        withUnsafeMutableBytes(of: &self) { fill($0) }
    }

    /// In the order in which hexadecimal digits show them.
    package var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

    /// 64 lowercase hexadecimal digits, as `sha256sum` prints them.
    package var description: String { bytes.hexText }
}
