import OperatingSystem
import Text

/// A file of SSH keys that `ssh-keygen` reads to verify a signature.
///
/// If `ssh-keygen` cannot use the file, it only reports that no key matches.
struct SSHKeyFile {
    enum Use: String {
        case allowedSigners = "file of allowed signers"
        case revokedKeys = "file of revoked keys"
    }

    let path: String
    let use: Use

    /// The reason why the file cannot be used, or `nil` if there is none. A file without any line contains no key.
    var problem: String? {
        guard fileExists(path) else { return "there is no \(use.rawValue) '\(path)'" }
        do throws(FileError) {
            let bytes = try readRegularFile(path)
            if use == .revokedKeys, bytes.starts(with: Self.binaryStart) { return nil }
            let lines = String(decoding: bytes, as: UTF8.self).lines.enumerated().filter { _, line in
                line.first { !$0.isWhitespace }.map { $0 != "#" } ?? false
            }
            guard let first = lines.first, !lines.contains(where: { hasKey($0.element) }) else { return nil }
            return "'\(path)' is no \(use.rawValue): expected lines such as '\(example)', found none, for example in "
                + "line \(first.offset + 1)"
        } catch {
            return error.description
        }
    }

    /// The first bytes of a list of revoked keys that `ssh-keygen -k` has written.
    private static let binaryStart = Array("SSHKRL\n\0".utf8)

    private var example: String {
        switch use {
        case .allowedSigners: "ada@example.org ssh-ed25519 AAAA…"
        case .revokedKeys: "ssh-ed25519 AAAA…"
        }
    }

    /// Returns a Boolean value that indicates whether a line has the type of a key at its place: after the names of the
    /// signer, perhaps with options between them.
    private func hasKey(_ line: String) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace).dropFirst(use == .allowedSigners ? 1 : 0)
        return words.dropLast().contains { word in
            ["ssh-", "ecdsa-", "sk-"].contains(where: word.hasPrefix)
        }
    }
}
