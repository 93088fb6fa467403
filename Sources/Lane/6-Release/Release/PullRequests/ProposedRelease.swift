import Actions
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// A release commit, and the text of the pull request that proposes it.
struct ProposedRelease: Sendable {
    let version: SemanticVersion
    /// The start of the branches of all releases of the package.
    let prefix: String
    /// The branch to merge into.
    let base: String
    /// The commit of the base branch, on which the release commit is.
    let start: String
    let commit: String
    private let text: String

    var branch: String { prefix + version.description }
    var title: String { "Release \(version)" }

    /// - Parameter page: The web page of the repository, for links in the notes.
    init(_ context: StepContext, page: String) throws(OperationFailure) {
        let git = Git(context)
        let (repository, start, branch) = try Repository.findWithHead(Git(context, in: context.root))
        guard let branch else { throw .refused(["HEAD is detached, so there is no branch for a pull request"]) }
        version = try WorkingVersion.find(Settings(), in: context).version
        prefix = ReleaseNames.branch(below: repository.prefix)
        base = String(branch.dropFirst("refs/heads/".count))
        self.start = start
        commit = try git.head()
        guard commit != start else {
            throw .refused([
                "the files and the changelog of '\(base)' are those of \(version), so there is nothing to propose\n"
                    + "hint: release it with the version \(version), without a pull request"
            ])
        }
        let name = prefix + version.description
        let notes = try ChangelogFile.releaseText(for: version, in: context.directory) { file in
            TagPages(repository: page, tag: name, file: repository.prefix + file)
        }
        let edits = try git.text(["diff", "--no-color", "--no-ext-diff", start, commit])
        let parts = [
            "When this pull request is merged, the release workflow tags and publishes \(version).",
            Self.limited(notes ?? ""), context.releases.apiReport.map { Self.details("Public API", "text", $0) },
            Self.details("Edits", "diff", edits), ReleaseNames.mark,
        ]
        text = parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static let commitMark = "<!-- commits: "

    /// Returns the text of the pull request.
    ///
    /// - Parameter commits: The commits of `lane` that may be at the end of the branch. Others are work of people.
    func body(_ commits: [String]) -> String { text + Self.commitMark + commits.joined(separator: " ") + " -->\n" }

    /// Returns the commits that the text of a pull request names.
    static func commits(in body: String) -> [String] {
        let line = body.lines.last { $0.hasPrefix(commitMark) }
        return line.map { $0.dropFirst(commitMark.count).split(separator: " ").dropLast().map(String.init) } ?? []
    }

    private static func details(_ title: String, _ language: String, _ text: String) -> String {
        let fence = "~~~~~~~~~~"
        return "<details><summary>\(title)</summary>\n\n\(fence)\(language)\n\(limited(text))\n\(fence)\n\n</details>"
    }

    /// Returns at most a third of the 65,536 characters that GitHub accepts, less the text around it.
    private static func limited(_ text: String) -> String {
        let most = 21_000
        guard text.unicodeScalars.count > most else { return text }
        let part = String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) + "\n…"
        // A block of code that was cut would contain the rest of the body.
        let isWithinCode = part.lines.count { $0.hasPrefix("```") } % 2 == 1
        return isWithinCode ? part + "\n```" : part
    }
}
