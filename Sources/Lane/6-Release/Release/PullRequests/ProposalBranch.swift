import Git
import OperatingSystem
import Text

/// The branches of proposed releases on a remote.
struct ProposalBranch {
    let release: ProposedRelease
    let remote: String
    /// Git in the user's checkout, for remotes with relative paths.
    let git: Git

    /// Pushes the commit to its branch, and replaces the commit of an earlier proposal. Keeps a branch with the same
    /// contents, and so its reviews.
    func push() throws(OperationFailure) {
        guard try commit(of: release.base) == release.start else {
            throw .refused([
                "'\(release.base)' is not at the same commit as in '\(remote)', so a pull request would show other changes\n"
                    + "hint: pull or push '\(release.base)', and run it again"
            ])
        }
        let known = try commit(of: release.branch)
        if let known {
            guard try isOurs(known, release.version) else {
                throw .refused([
                    "'\(remote)' has commits of others in '\(release.branch)', which would be lost\n"
                        + "hint: merge the pull request, or delete the branch"
                ])
            }
            guard try isOutdated(known) else { return }
        }
        let run = try push(release.commit, to: release.branch, over: known)
        guard !run.report.succeeded else { return }
        let report = PushReport(run)
        let hook = report.rejected.isEmpty ? git.refusal(by: ["pre-push"], of: "push", run) : nil
        guard run.report.stoppedBy == nil, !report.rejected.isEmpty || report.lacksCredentials || hook != nil else {
            throw OperationFailure(of: "git push", run)
        }
        let reason = [report.otherRejection ?? report.error] + report.explanation
        throw .refused([
            (hook ?? "'\(remote)' rejected the branch '\(release.branch)': \(reason.joined(separator: "\n"))")
                + (report.otherRejection?.contains("stale info") == true
                    ? "\nhint: another run has changed it; run it again"
                    : "\nhint: the credentials of git must permit pushes to '\(release.prefix)*'")
        ])
    }

    /// Deletes the branch of a proposal of another version, which closes its pull request.
    ///
    /// - Returns: `false` if the branch contains commits of others, or the remote rejects it.
    func delete(_ version: SemanticVersion) throws(OperationFailure) -> Bool {
        let branch = release.prefix + version.description
        guard let known = try commit(of: branch) else { return true }
        guard try isOurs(known, version) else { return false }
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

    /// Returns a Boolean value that indicates whether a branch contains nothing but the proposal of a version.
    ///
    /// Its commits have the messages of a release, and were not amended, which changes one of their dates. The
    /// button of GitHub that updates a branch merges the base branch into it.
    private func isOurs(_ commit: String, _ version: SemanticVersion) throws(OperationFailure) -> Bool {
        try git.run(["fetch", "--quiet", "--no-tags", "--", remote, "refs/heads/\(release.prefix)\(version)"])
        let own = try log(release.commit, "%B").replacing(release.version.description, with: version.description)
        guard try log(commit, "%B") == own else { return false }
        return try log(commit, "%at %ct").lines.allSatisfy { line in
            let dates = line.split(separator: " ")
            return dates.first == dates.last
        }
    }

    private func log(_ commit: String, _ format: String) throws(OperationFailure) -> String {
        try git.text(["log", "--no-merges", "--format=\(format)", commit, "^\(release.start)", "--"])
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
