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
        let branch = ProposalBranch(release: release, remote: remote, git: checkout)
        try branch.push()
        let directory = try context.makeScratchDirectory("pull-request")
        defer { try? removeTree(directory) }
        let client = GitHubClient(
            context, base: target.base, token: token, tokenName: tokenName, clock: clock, directory: directory)
        let (page, others) = try GitHubPullRequests(client: client, repository: target.repository).propose(release)
        for (version, request) in others {
            let isClosed = try branch.delete(version)
            context.report(
                isClosed ? .note : .warning,
                isClosed
                    ? "\(release.version) replaces \(version), so its pull request was closed: \(request.page)"
                    : "\(version) is proposed, too, with commits of others: \(request.page)")
        }
        transaction.plan(.propose)
        context.report(.note, "\(release.version) is proposed, and this repository is unchanged: \(page)")
        return StepResult(outputs: ["url": .string(page), "branch": .string(release.branch)])
    }
}
