import Archives
import LaneModel
import OperatingSystem
import Text

/// The pull requests of a repository.
struct GitHubPullRequests: Sendable {
    let client: GitHubClient
    /// The repository as `owner/name`.
    let repository: String

    /// An open pull request.
    struct PullRequest {
        let number: Int
        let body: ProposalBody
        let page: String
        /// A Boolean value that indicates whether `lane` made it.
        fileprivate let isMarked: Bool
        /// The branch to merge, and its repository.
        fileprivate let branch: String
        fileprivate let source: String
        /// The commits of `lane` that may be at the end of the branch.
        var commits: [String] { body.commits }

        fileprivate init?(_ node: JSONNode?) {
            guard let node, let number = node["number"]?.integer, let branch = node["head"]?["ref"]?.string else {
                return nil
            }
            self.number = number
            self.branch = branch
            source = node["head"]?["repo"]?["full_name"]?.string ?? ""
            let text = node["body"]?.string ?? ""
            body = ProposalBody(text)
            isMarked = text.contains(ReleaseNames.mark)
            page = node["html_url"]?.string ?? ""
        }
    }

    private static let permission = "pull-requests: write"

    private var root: String { Self.root(repository, client.base) }

    private static func root(_ repository: String, _ base: String) -> String { "\(base)/repos/\(repository)/pulls" }

    private static func list(to base: String) -> String {
        "?state=open&base=\(URLPath.encoded(base))&per_page=100"
    }

    /// Returns the requests that open a pull request.
    static func requests(of repository: String, at base: String, to branch: String) -> [String] {
        ["GET \(root(repository, base))\(list(to: branch))", "POST \(root(repository, base))"]
    }

    /// Returns the open pull request of a release, if any, and those of other versions.
    func open(
        for release: Proposal
    ) throws(OperationFailure) -> (own: PullRequest?, others: [(version: SemanticVersion, request: PullRequest)]) {
        let open = try client.all(
            root + Self.list(to: release.base), "list the pull requests", needing: Self.permission
        )
        .compactMap { PullRequest($0) }
        .filter { $0.branch.hasPrefix(release.prefix) && $0.source.lowercased() == repository.lowercased() }
        let others = open.filter { $0.branch != release.branch && $0.isMarked }
        return (
            open.first { $0.branch == release.branch },
            others.compactMap { other in
                SemanticVersion(String(other.branch.dropFirst(release.prefix.count))).map {
                    (version: $0, request: other)
                }
            }
        )
    }

    /// Opens the pull request of a release. Returns its web page.
    func make(_ release: ProposedRelease, _ commits: [String]) throws(OperationFailure) -> String {
        let request = HTTPRequest(method: "POST", url: root, body: .bytes(json(release, commits)))
        for attempt in 1...5 {
            if attempt > 1 {
                try client.pause(beforeAttempt: attempt, because: "the new pull request is not in the list")
            }
            if case .answer(let response) = try client.once(request),
                response.status != 422 || !GitHubClient.errorText(of: response).contains("already exists")
            {
                return try page(in: response, to: "open a pull request")
            }
            // Without an answer, it may be open.
            if let own = try open(for: release.proposal).own { return try update(own, to: release, commits) }
        }
        throw OperationFailure("GitHub did not open a pull request after 5 attempts\nhint: run it again to continue")
    }

    /// Changes the text of a pull request, unless it is the same. A text that someone has edited, and the title, stay
    /// as they are. Returns its web page.
    func update(
        _ present: PullRequest, to release: ProposedRelease, _ commits: [String]
    ) throws(OperationFailure) -> String {
        var body = present.body.isEdited ? present.body : ProposalBody(text: release.text, commits: commits)
        body.commits = commits
        guard present.body != body || !present.isMarked else { return present.page }
        var writer = JSONWriter()
        writer.object { $0.member("body", body.content) }
        let request = HTTPRequest(
            method: "PATCH", url: "\(root)/\(present.number)", body: .bytes(writer.bytes))
        return try page(in: try client.ask(request), to: "change the pull request")
    }

    private func page(in response: HTTPResponse, to work: String) throws(OperationFailure) -> String {
        guard response.isSuccess, let pullRequest = PullRequest(GitHubClient.json(response)) else {
            throw client.failure(response, to: work, needing: Self.permission)
        }
        return pullRequest.page
    }

    private func json(_ release: ProposedRelease, _ commits: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("title", release.title)
            writer.member("head", release.proposal.branch)
            writer.member("base", release.proposal.base)
            writer.member("body", ProposalBody(text: release.text, commits: commits).content)
        }
        return writer.bytes
    }
}

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
