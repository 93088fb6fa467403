/// The requested version: an exact one, a bump, or the one that the commits require.
enum VersionRequest: Equatable {
    case exact(SemanticVersion)
    case bump(VersionBump)
    case fromCommits

    /// Parses a request. Returns `nil` for invalid text.
    init?(_ text: String?) {
        guard let text, !text.isEmpty, text != "auto" else {
            self = .fromCommits
            return
        }
        if let version = SemanticVersion(text) {
            self = .exact(version)
        } else if let bump = VersionBump(text) {
            self = .bump(bump)
        } else {
            return nil
        }
    }

    /// Returns the message for an invalid text.
    static func refusal(of text: String) -> String {
        let shown =
            "'\(text)' is not a version: expected three numbers such as 1.2.3, or major, minor, patch, premajor, preminor, "
            + "prepatch, prerelease, release or auto"
        let plain = String(text.drop { $0 == "v" || $0 == "V" })
        return plain != text && SemanticVersion(plain) != nil ? shown + "\nhint: remove the 'v': \(plain)" : shown
    }
}
