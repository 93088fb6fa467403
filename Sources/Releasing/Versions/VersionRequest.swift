/// What a person asked for: an exact version, a bump, or whatever the commits call for.
enum VersionRequest: Equatable {
    case exact(SemanticVersion)
    case bump(VersionBump)
    case fromCommits

    /// `nil` when the text is neither.
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

    /// The wording for a text that is neither.
    static func refusal(of text: String) -> String {
        let shown =
            "'\(text)' is not a version: expected three numbers as in 1.2.3, or major, minor, patch, premajor, preminor, "
            + "prepatch, prerelease, release or auto"
        let plain = String(text.drop { $0 == "v" || $0 == "V" })
        return plain != text && SemanticVersion(plain) != nil ? shown + "\nhint: \(plain), without the 'v'" : shown
    }
}
