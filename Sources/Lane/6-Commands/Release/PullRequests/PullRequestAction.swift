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
package struct PullRequestAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "pull-request", "Propose the release commit in a pull request on GitHub, and change nothing here",
        settings: PublishTarget.settings,
        outputs: [
            ActionOutput("url", .string, "The address of the pull request"),
            ActionOutput("branch", .string, "The branch with the commit"),
        ],
        example: """
            - pull-request: {}
            - pull-request: { remote: origin, repository: example/shape, token: GITHUB_TOKEN }
            """)

    package init() {}

    package func summary(of settings: Settings) -> String { summary(settings, branch: "a branch") }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let git = Git(context)
        guard let version = WorkingVersion.forecast(Settings(), in: context, after: earlier)?.version,
            let prefix = try? Repository.find(git).prefix,
            let base = try? git.currentBranch().map(shortName),
            let target = try? PublishTarget.find(settings, context.environment, git)
        else { return StepForecast(summary(of: settings)) }
        let branch = ReleaseNames.branch(below: prefix) + version.description
        let push = ["git", "push", "--force-with-lease", settings.remote, "HEAD:refs/heads/\(branch)"]
        let requests = GitHubPullRequests.requests(of: target.repository, at: target.base, to: base)
        return StepForecast(
            summary(settings, branch: "'\(branch)'"),
            details: ([ShellWords.line(push)] + requests).map { .request($0) })
    }

    private func summary(_ settings: Settings, branch: String) -> String {
        "push the commit to \(branch) of \(settings.remote), and open its pull request on GitHub or update it"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        guard let transaction = context.transaction else {
            throw .refused(["'pull-request' needs a private worktree\nhint: add 'transaction: true' to the lane"])
        }
        let checkout = Git(context, in: context.root)
        let token = try ReleaseOrder.token(settings, context)
        let target = try PublishTarget.find(settings, context.environment, checkout)
        let release = try ProposedRelease(context, page: PublishTarget.page(of: target.repository, at: target.base))
        let version = release.proposal.version
        let branch = try ProposalBranch(release.proposal, settings.remote, checkout)
        let directory = try context.makeScratchDirectory("pull-request")
        defer { try? removeTree(directory) }
        let client = GitHubClient(
            context, base: target.base, token: token, tokenName: settings.tokenName, directory: directory)
        let requests = GitHubPullRequests(client: client, repository: target.repository)
        let open = try requests.open(for: release.proposal)
        let page = try propose(release, in: requests, open.own, on: branch)
        if open.own?.body.isEdited == true {
            context.report(
                .warning,
                "someone has edited the text of the pull request, so it is not renewed: \(page)\n"
                    + "hint: to renew it, empty the text, and run this again")
        }
        for (other, request) in open.others {
            guard other < version, try branch.delete(other, request.commits) else {
                context.report(.warning, "\(other) is proposed, too: \(request.page)")
                continue
            }
            context.report(.note, "\(version) replaces \(other), so its pull request was closed: \(request.page)")
        }
        context.releases.setProposal(page)
        transaction.plan(.propose)
        context.report(.note, "\(version) is proposed, and this repository is unchanged: \(page)")
        return StepResult(outputs: ["url": .string(page), "branch": .string(release.proposal.branch)])
    }

    /// Pushes the branch, and opens its pull request or updates it. Returns the page of the pull request.
    private func propose(
        _ release: ProposedRelease, in requests: GitHubPullRequests, _ own: GitHubPullRequests.PullRequest?,
        on branch: ProposalBranch
    ) throws(OperationFailure) -> String {
        let commits = own?.commits ?? []
        switch try branch.state(commits, for: release.commit) {
        case .current(let known):
            var release = release
            release.edits = try branch.edits(of: known)
            guard let own else { return try requests.make(release, [known]) }
            return try requests.update(own, to: release, commits.isEmpty ? [known] : commits)
        case .outdated(let known):
            guard let own else {
                try branch.push(release.commit, over: known)
                return try requests.make(release, [release.commit])
            }
            // The pull request names the commit before it is pushed, so that a repetition recognizes it.
            let page = try requests.update(own, to: release, [known, release.commit].compactMap(\.self))
            try branch.push(release.commit, over: known)
            // Another run may have changed the text meanwhile.
            if let now = try requests.open(for: release.proposal).own, !now.commits.contains(release.commit) {
                _ = try requests.update(now, to: release, now.commits + [release.commit])
            }
            return page
        }
    }
}
