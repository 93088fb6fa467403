/// The requested version: an exact version, a bump, or the version that the commits require.
package enum VersionRequest: Sendable, Equatable {
    case exact(SemanticVersion)
    case bump(VersionBump)
    /// The version that the commits require: the word `auto`, or no text.
    case fromCommits

    private static let words = [
        "major", "minor", "patch", "premajor", "preminor", "prepatch", "prerelease", "release", "auto",
    ]

    /// Parses a request. Returns `nil` for invalid text.
    package init?(_ text: String?) {
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
    package static func errorMessage(for text: String) -> String {
        let message =
            "'\(text)' is not a version: expected three numbers such as 1.2.3, or \(list(words))"
        return message + (hint(for: text).map { "\nhint: \($0)" } ?? "")
    }

    /// Returns a suggestion for an invalid text, or `nil` if there is none.
    package static func hint(for text: String) -> String? {
        let plain = String(text.drop { $0 == "v" || $0 == "V" })
        if plain != text, SemanticVersion(plain) != nil { return "remove the 'v': \(plain)" }
        if SemanticVersion(text + ".0") != nil { return "write \(text).0" }
        return suggestion(for: text, among: words)
    }
}
