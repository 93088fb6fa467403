import Actions
import Events
import Expressions
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// Checks that run before the build: would the remote and GitHub accept the release?
struct PublishPreflight {
    let settings: Settings
    let context: StepContext

    struct Findings {
        /// The reasons why the remote or GitHub would reject the release.
        var problems: [String] = []
        /// The messages about checks that could not run.
        var notes: [String] = []
    }

    private var remote: String { settings.remote }

    func check() -> Findings {
        let git = Git(context, in: context.root)
        var findings = Findings()
        do throws(OperationFailure) {
            let target = try PublishTarget.find(settings, context.environment, git)
            let directory = try context.makeScratchDirectory("preflight")
            defer { try? removeTree(directory) }
            let client = client(of: target.base, directory)
            let requests = client.map { GitHubPullRequests(client: $0, repository: target.repository) }
            if !settings.isProposal { findings.problems += try pushProblems(git, &findings.notes) }
            if let client {
                try askForRepository(target.repository, client)
            } else {
                findings.notes.append(
                    "GitHub was not asked about '\(target.repository)': \(settings.tokenName) has no value")
            }
            if settings.isProposal { findings.problems += try proposalProblems(requests, git) }
        } catch {
            findings.problems.append(error.message)
        }
        return findings
    }

    /// Returns the reasons why the pull request could not be opened or updated.
    private func proposalProblems(
        _ requests: GitHubPullRequests?, _ git: Git
    ) throws(OperationFailure) -> [String] {
        guard let version = try planned()?.version, try git.currentBranch() != nil else { return [] }
        let proposal = try Proposal(version, git)
        let commits = try requests?.open(for: proposal).own?.commits
        return try ProposalBranch(proposal, remote, git).problems(commits)
    }

    /// Returns the problems of a dry-run push: the remote has other commits, has the tag, or rejects the credentials.
    private func pushProblems(_ git: Git, _ notes: inout [String]) throws(OperationFailure) -> [String] {
        guard try git.attempt(["remote", "get-url", remote]).report.succeeded,
            let branch = try git.currentBranch(), try git.object(named: "HEAD") != nil
        else { return [] }
        let run = try git.attempt([
            "push", "--dry-run", "--no-verify", "--porcelain", "--no-follow-tags", "--", remote, "HEAD:\(branch)",
        ])
        var problems: [String] = []
        if !run.report.succeeded {
            let report = PushReport(run)
            guard let branch = report.branchAhead else {
                return ["pushing to '\(remote)' would fail: \(report.reason)"]
            }
            if try !isMerged(into: branch, git) {
                problems.append(
                    "'\(remote)' has commits in '\(branch)' that are not in this repository\nhint: git pull --rebase \(remote) \(branch)"
                )
            }
        }
        if let tag = try planned()?.tag {
            let names = ["refs/heads/\(tag)", "refs/tags/\(tag)", "refs/tags/\(tag)^{}"]
            let lines = try git.text(["ls-remote", "--", remote] + names).lines
            if lines.contains(where: { $0.hasSuffix("\t\(names[0])") }) {
                notes.append(
                    "'\(remote)' has a branch '\(tag)', so the name of the tag is ambiguous there\n"
                        + "hint: rename the branch there, for example to 'release-\(tag)'")
            }
            if let line = lines.last(where: { $0.contains("\trefs/tags/") }) {
                // With the time of the tag, the same tag is made again.
                let head = try git.head()
                if try context.sourceDate() == nil || !line.hasPrefix(head) {
                    problems.append("'\(remote)' already has a tag '\(tag)'")
                }
            }
        }
        return problems
    }

    /// Returns a Boolean value that indicates whether a remote branch already contains the release, for example after
    /// the merge of a pull request, so that only the tag is new.
    private func isMerged(into branch: String, _ git: Git) throws(OperationFailure) -> Bool {
        guard let version = try planned()?.version,
            try ChangelogFile.read(in: context.directory)?.isReleased(version) ?? false
        else { return false }
        return try git.isHead(in: branch, of: remote)
    }

    /// Returns the requested version and its tag, or `nil` if the lane names no version.
    private func planned() throws(OperationFailure) -> (version: SemanticVersion, tag: String)? {
        guard let text = settings.string("version") ?? context.parameters["version"]?.text,
            let request = VersionRequest(text)
        else { return nil }
        let facts = try VersionFacts.read(context)
        guard let version = try? facts.version(for: request) else { return nil }
        return (version, facts.tags.prefix + version.description)
    }

    /// Returns a client, or `nil` if there is no token.
    private func client(of base: String, _ directory: String) -> GitHubClient? {
        let token = (context.environment[settings.tokenName] ?? "").filter { !$0.isWhitespace }
        guard !token.isEmpty else { return nil }
        return GitHubClient(context, base: base, token: token, tokenName: settings.tokenName, directory: directory)
    }

    /// Checks the token and the repository on GitHub.
    private func askForRepository(_ repository: String, _ client: GitHubClient) throws(OperationFailure) {
        let response = try client.ask(HTTPRequest(url: "\(client.base)/repos/\(repository)"))
        guard response.isSuccess else { throw client.failure(response, to: "return the repository '\(repository)'") }
    }
}
