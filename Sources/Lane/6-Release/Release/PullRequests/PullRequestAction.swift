package import Actions
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text
import Versioning

/// The `pull-request` action: pushes the commit of a release to a branch of its own, and opens the pull request that
/// proposes it, or updates it.
///
/// The transaction then changes nothing in the repository. The action can be repeated at any time, because the branch
/// and its open pull request are the only state.
package struct PullRequestAction: StepAction {
    private let clock: PublishClock

    package init(clock: PublishClock) {
        self.clock = clock
    }

    package func summary(of settings: Settings) -> String { summary(settings, branch: "a branch") }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let git = Git(context)
        guard let version = PlannedVersion(Settings(), in: context, after: earlier)?.version,
            let prefix = try? Repository.find(git).prefix,
            let base = try? git.attempt(["symbolic-ref", "--quiet", "--short", "HEAD"]).text.lines.first,
            let target = try? PublishTarget.find(settings, context.environment, remote(settings), git)
        else { return StepForecast(summary(of: settings)) }
        let branch = ReleaseNames.branch(below: prefix) + version
        let push = ["git", "push", "--force-with-lease", remote(settings), "HEAD:refs/heads/\(branch)"]
        let requests = GitHubPullRequests.requests(of: target.repository, at: target.base, to: base)
        return StepForecast(
            summary(settings, branch: "'\(branch)'"),
            details: ([ShellWords.line(push)] + requests).map { .request($0) })
    }

    private func summary(_ settings: Settings, branch: String) -> String {
        "push the commit to \(branch) of \(remote(settings)), and open its pull request on GitHub or update it"
    }

    private func remote(_ settings: Settings) -> String { settings.string("remote") ?? ActionSchema.publishRemote }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        guard let transaction = context.transaction else {
            throw .refused(["'pull-request' needs a private worktree\nhint: add 'transaction: true' to the lane"])
        }
        let checkout = Git(context, in: context.root)
        let remote = remote(settings)
        let tokenName = settings.string("token") ?? ActionSchema.publishToken
        let token = try ReleaseOrder.token(context.environment[tokenName], tokenName)
        let target = try PublishTarget.find(settings, context.environment, remote, checkout)
        let release = try ProposedRelease(context, page: PublishTarget.page(of: target.repository, at: target.base))
        let branch = ProposalBranch(release: release, remote: try address(of: remote, checkout), git: checkout)
        let directory = try context.makeScratchDirectory("pull-request")
        defer { try? removeTree(directory) }
        let client = GitHubClient(
            context, base: target.base, token: token, tokenName: tokenName, clock: clock, directory: directory)
        let requests = GitHubPullRequests(client: client, repository: target.repository)
        let open = try requests.open(for: release)
        let page = try propose(release, in: requests, open.own, on: branch)
        for (version, request) in open.others {
            guard version < release.version, try branch.delete(version, request.commits) else {
                context.report(.warning, "\(version) is proposed, too: \(request.page)")
                continue
            }
            context.report(
                .note, "\(release.version) replaces \(version), so its pull request was closed: \(request.page)")
        }
        context.releases.setProposal(page)
        transaction.plan(.propose)
        context.report(.note, "\(release.version) is proposed, and this repository is unchanged: \(page)")
        return StepResult(outputs: ["url": .string(page), "branch": .string(release.branch)])
    }

    /// Pushes the branch, and opens its pull request or updates it. Returns the page of the pull request.
    private func propose(
        _ release: ProposedRelease, in requests: GitHubPullRequests, _ own: GitHubPullRequests.PullRequest?,
        on branch: ProposalBranch
    ) throws(OperationFailure) -> String {
        let commits = own?.commits ?? []
        switch try branch.state(commits) {
        case .current(let known):
            guard let own else { return try requests.make(release, [known]) }
            return try requests.update(own, to: release, commits.isEmpty ? [known] : commits)
        case .outdated(let known):
            guard let own else {
                try branch.push(over: known)
                return try requests.make(release, [release.commit])
            }
            // The pull request names the commit before it is pushed, so that a repetition recognizes it.
            let page = try requests.update(own, to: release, [known, release.commit].compactMap(\.self))
            try branch.push(over: known)
            // Another run may have changed the text meanwhile.
            if let now = try requests.open(for: release).own, !now.commits.contains(release.commit) {
                _ = try requests.update(now, to: release, now.commits + [release.commit])
            }
            return page
        }
    }

    /// Returns the address to which a remote pushes, if it is another than that for fetches.
    private func address(of remote: String, _ git: Git) throws(OperationFailure) -> String {
        let addresses = try [[], ["--push"]].map { (words) throws(OperationFailure) in
            try git.attempt(["remote", "get-url"] + words + [remote]).text.lines.first
        }
        guard let fetched = addresses[0], let pushed = addresses[1], fetched != pushed else { return remote }
        if let one = RemoteAddress(fetched), let other = RemoteAddress(pushed), one != other {
            throw .refused([
                "'\(remote)' pushes to '\(other.repository)', so there can be no pull request of a branch in '\(one.repository)'\n"
                    + "hint: set 'remote' to a remote that pushes to it"
            ])
        }
        return pushed
    }
}
