import Actions
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// A release commit, and the text of the pull request that proposes it.
struct ProposedRelease: Sendable {
    let proposal: Proposal
    let commit: String
    /// The difference between the base branch and the proposed branch.
    var edits: String
    private let notes: String
    private let apiReport: String?

    var title: String { "Release \(proposal.version)" }

    /// - Parameter page: The web page of the repository, for links in the notes.
    init(_ context: StepContext, page: String) throws(OperationFailure) {
        let git = Git(context)
        let checkout = Git(context, in: context.root)
        let version = try WorkingVersion.find(Settings(), in: context).version
        let proposal = try Proposal(version, checkout)
        commit = try git.head()
        guard commit != proposal.start else {
            throw .refused([
                "the files and the changelog of '\(proposal.base)' are those of \(version), so there is nothing to propose\n"
                    + "hint: release it with the version \(version), without a pull request"
            ])
        }
        let repository = try Repository.find(checkout)
        notes =
            try ChangelogFile.releaseText(for: version, in: context.directory) { file in
                TagPages(repository: page, tag: proposal.branch, file: repository.prefix + file)
            } ?? ""
        edits = try Self.edits(from: proposal.start, to: commit, git)
        apiReport = context.releases.apiReport
        self.proposal = proposal
    }

    static func edits(from start: String, to commit: String, _ git: Git) throws(OperationFailure) -> String {
        try git.text(["diff", "--no-color", "--no-ext-diff", start, commit])
    }

    /// The text of the pull request.
    var text: String {
        let parts = [
            "When this pull request is merged, the release workflow tags and publishes \(proposal.version).",
            Self.limited(notes), apiReport.map { Self.details("Public API", "text", $0) },
            Self.details("Edits", "diff", edits),
        ]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n\n")
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

/// The version of a proposed release, and the branches of its pull request.
struct Proposal: Sendable {
    let version: SemanticVersion
    /// The start of the branches of all releases of the package.
    let prefix: String
    /// The branch to merge into.
    let base: String
    /// The commit of the base branch, on which the release commit is.
    let start: String

    /// - Parameter git: Git in the user's checkout.
    init(_ version: SemanticVersion, _ git: Git) throws(OperationFailure) {
        let (repository, start, branch) = try Repository.findWithHead(git)
        guard let branch else { throw .refused(["HEAD is detached, so there is no branch for a pull request"]) }
        self.version = version
        prefix = ReleaseNames.branch(below: repository.prefix)
        base = shortName(branch)
        self.start = start
    }

    var branch: String { prefix + version.description }
}
