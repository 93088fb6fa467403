import Git
import OperatingSystem
import Text

/// The branches of proposed releases on a remote.
struct ProposalBranch {
    let release: ProposedRelease
    let remote: String
    /// Git in the user's checkout, for remotes with relative paths.
    let git: Git

    /// The state of the branch of a release on the remote.
    enum State {
        /// The branch has the files of the release, and need not be pushed.
        case current(String)
        /// The branch is missing, or has another commit of `lane`.
        case outdated(String?)
    }

    /// Compares the branch with the release. Throws a failure if it has commits of people.
    ///
    /// - Parameter commits: The commits of `lane` that the pull request names.
    func state(_ commits: [String]) throws(OperationFailure) -> State {
        guard try commit(of: release.base) == release.start else {
            throw .refused([
                "'\(release.base)' is not at the same commit as in '\(remote)', so a pull request would show other changes\n"
                    + "hint: pull or push '\(release.base)', and run it again"
            ])
        }
        guard let known = try commit(of: release.branch) else { return .outdated(nil) }
        guard try isOurs(known, release.version, commits) else {
            throw .refused([
                "'\(remote)' has commits of others in '\(release.branch)', which would be lost\n"
                    + "hint: merge the pull request, or delete the branch"
            ])
        }
        return try isOutdated(known) ? .outdated(known) : .current(known)
    }

    /// Pushes the commit to its branch, and replaces the commit of an earlier proposal.
    func push(over known: String?) throws(OperationFailure) {
        let run = try push(release.commit, to: release.branch, over: known)
        guard !run.report.succeeded else { return }
        let report = PushReport(run)
        let hook = report.rejected.isEmpty ? git.refusal(by: ["pre-push"], of: "push", run) : nil
        guard run.report.stoppedBy == nil, !report.rejected.isEmpty || report.lacksCredentials || hook != nil else {
            throw OperationFailure(of: "git push", run)
        }
        let reason = [report.otherRejection ?? report.error] + report.explanation
        throw .refused([
            hook
                ?? "'\(remote)' rejected the branch '\(release.branch)': \(reason.joined(separator: "\n"))"
                + (report.otherRejection?.contains("stale info") == true
                    ? "\nhint: another run has changed it; run it again"
                    : "\nhint: the credentials of git must permit pushes to '\(release.prefix)*'")
        ])
    }

    /// Deletes the branch of a proposal of another version, which closes its pull request.
    ///
    /// - Parameter commits: The commits of `lane` that the pull request names.
    /// - Returns: `false` if the branch contains commits of others, or the remote rejects it.
    func delete(_ version: SemanticVersion, _ commits: [String]) throws(OperationFailure) -> Bool {
        let branch = release.prefix + version.description
        guard let known = try commit(of: branch) else { return true }
        guard try isOurs(known, version, commits) else { return false }
        return try push("", to: branch, over: known).report.succeeded
    }

    private func push(_ commit: String, to branch: String, over known: String?) throws(OperationFailure) -> CapturedRun
    {
        let reference = "refs/heads/\(branch)"
        return try git.attempt([
            "push", "--porcelain", "--no-follow-tags", "--force-with-lease=\(reference):\(known ?? "")", "--", remote,
            "\(commit):\(reference)",
        ])
    }

    /// Returns the commit of a branch on the remote, or `nil` if there is no such branch.
    private func commit(of branch: String) throws(OperationFailure) -> String? {
        try git.text(["ls-remote", "--", remote, "refs/heads/\(branch)"]).split(separator: "\t").first.map(String.init)
    }

    /// Returns a Boolean value that indicates whether a branch ends with a commit of `lane`.
    ///
    /// The button of GitHub that updates a branch merges the base branch into it, without other changes. If no open pull
    /// request names a commit, because `lane` was killed before it opened one, the branch must have the same files as
    /// the release.
    private func isOurs(
        _ commit: String, _ version: SemanticVersion, _ commits: [String]
    ) throws(OperationFailure) -> Bool {
        try git.run(["fetch", "--quiet", "--no-tags", "--", remote, "refs/heads/\(release.prefix)\(version)"])
        var commit = commit
        while !commits.contains(commit) {
            let parents = try git.text(["rev-parse", "\(commit)^@"]).lines
            guard parents.count == 2 else {
                guard commits.isEmpty else { return false }
                return try !isOutdated(commit)
            }
            let isOfBase = try parents.map { (parent) throws(OperationFailure) in
                try git.attempt(["merge-base", "--is-ancestor", parent, release.start]).report.succeeded
            }
            let merged = try git.attempt(["merge-tree", "--write-tree", parents[0], parents[1]])
            guard merged.report.status != 129 else {
                throw .refused(["git 2.38 or later is needed to compare the updated branch '\(release.branch)'"])
            }
            guard isOfBase.contains(true), merged.report.succeeded, merged.text.lines.first == (try tree(of: commit))
            else { return false }
            commit = parents[isOfBase[1] ? 0 : 1]
        }
        return true
    }

    /// Returns a Boolean value that indicates whether a branch lacks commits of the base branch, or has other files.
    private func isOutdated(_ known: String) throws(OperationFailure) -> Bool {
        let hasStart = try git.attempt(["merge-base", "--is-ancestor", release.start, known]).report.succeeded
        let trees = (try tree(of: known), try tree(of: release.commit))
        return !hasStart || trees.0 != trees.1
    }

    private func tree(of commit: String) throws(OperationFailure) -> String {
        try git.text(["rev-parse", "\(commit)^{tree}"])
    }
}
