import OperatingSystem

/// The kind of a detached signature beside a checksum file.
enum ChecksumSignature: CaseIterable, Sendable {
    /// A signature of `ssh-keygen -Y sign`.
    case ssh
    /// A signature of GnuPG, or of `gpgsm` for X.509.
    case gpg

    /// The namespace of SSH signatures of files, as in the manual of `ssh-keygen`.
    static let namespace = "file"

    /// The extension of the signature.
    var suffix: String {
        switch self {
        case .ssh: ".sig"
        case .gpg: ".asc"
        }
    }

    /// Returns the path of the checksum file that a signature belongs to, or `nil` for any other file.
    static func signedFile(_ path: String) -> String? {
        for kind in allCases where path.hasSuffix(kind.suffix) {
            let signed = String(path.dropLast(kind.suffix.utf8.count))
            if ChecksumFile.isChecksumFile(signed) { return signed }
        }
        return nil
    }

    static func isSignature(_ path: String) -> Bool { signedFile(path) != nil }
}
