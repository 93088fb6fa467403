import Archives
import LaneModel
import Text

/// The body of a pull request: its text, and comments that GitHub doesn't show.
struct ProposalBody: Equatable {
    let text: String
    /// The commits of `lane` that may be at the end of the branch. Others are work of people.
    var commits: [String]
    /// The digest of the text that `lane` wrote, or `nil` if it is unknown.
    private let digest: String?

    private static let start = "<!-- commits: "
    private static let separator = " text: "
    private static let end = " -->"

    /// - Parameter text: The text that `lane` writes.
    init(text: String, commits: [String]) {
        self.text = text.plainLines.joined(separator: "\n")
        self.commits = commits
        digest = Self.digest(of: self.text)
    }

    /// Creates a body from the one that GitHub returned.
    init(_ body: String) {
        var lines = body.plainLines
        var comment: Substring = ""
        if let index = lines.lastIndex(where: { $0.hasPrefix(Self.start) && $0.hasSuffix(Self.end) }) {
            comment = lines.remove(at: index).dropFirst(Self.start.count).dropLast(Self.end.count)
        }
        lines.removeAll { $0 == ReleaseNames.mark }
        text = lines.joined(separator: "\n").plainLines.joined(separator: "\n")
        let parts = comment.parts(separatedBy: Self.separator)
        commits = (parts.first ?? "").split(separator: " ").map(String.init)
        digest = parts.count == 2 ? String(parts[1]) : nil
    }

    /// A Boolean value that indicates whether someone has changed the text.
    var isEdited: Bool { !text.utf8.allSatisfy(\.isSpace) && digest != Self.digest(of: text) }

    /// The body for GitHub.
    var content: String {
        let comment = ([commits.joined(separator: " ")] + [digest].compactMap(\.self)).joined(separator: Self.separator)
        return "\(text)\n\n\(ReleaseNames.mark)\n\(Self.start)\(comment)\(Self.end)\n"
    }

    private static func digest(of text: String) -> String { SHA256.digest(of: Array(text.utf8)).description }
}
