import Git
import OperatingSystem
import Text
import Versioning

/// The branches of proposed releases on a remote.
struct ProposalBranch {
    let proposal: Proposal
    private let remote: String
    /// Git in the user's checkout, for remotes with relative paths.
    private let git: Git

    init(_ proposal: Proposal, _ remote: String, _ git: Git) throws(OperationFailure) {
        self.proposal = proposal
        self.remote = try Self.address(of: remote, git)
        self.git = git
    }

    /// The state of the branch of a release on the remote.
    enum State {
        /// The branch has the files of the release, and need not be pushed.
        case current(String)
        /// The branch is missing, or has another commit of `lane`.
        case outdated(String?)
    }

    /// Compares the branch with a release. Throws a failure if it has commits of people.
    ///
    /// - Parameter commits: The commits of `lane` that the pull request names.
    func state(_ commits: [String], for new: String) throws(OperationFailure) -> State {
        if let problem = try baseProblem() { throw .refused([problem]) }
        guard let known = try commit(of: proposal.branch) else { return .outdated(nil) }
        guard try isOurs(known, proposal.version, commits, for: new) else { throw .refused([othersProblem]) }
        return try isOutdated(known, new) ? .outdated(known) : .current(known)
    }

    /// Returns the problems that are known before the release commit exists.
    ///
    /// - Parameter commits: The commits of `lane` that the pull request names, or `nil` if there is none, or it is
    ///   unknown.
    func problems(_ commits: [String]?) throws(OperationFailure) -> [String] {
        var problems = [try baseProblem()].compactMap(\.self)
        let run = try push("+HEAD", to: proposal.branch, ["--dry-run", "--no-verify"])
        if !run.report.succeeded { problems.append(rejection(run)) }
        if let commits, !commits.isEmpty, let known = try commit(of: proposal.branch),
            try !isOurs(known, proposal.version, commits, for: nil)
        {
            problems.append(othersProblem)
        }
        return problems
    }

    private func baseProblem() throws(OperationFailure) -> String? {
        guard try commit(of: proposal.base) != proposal.start else { return nil }
        return
            "'\(proposal.base)' is not at the same commit as in '\(remote)', so a pull request would show other changes\n"
            + "hint: pull or push '\(proposal.base)', and run it again"
    }

    private var othersProblem: String {
        "'\(remote)' has commits of others in '\(proposal.branch)', which would be lost\n"
            + "hint: merge the pull request, or delete the branch"
    }

    /// Returns the difference between the base branch and a commit of the branch.
    func edits(of known: String) throws(OperationFailure) -> String {
        try ProposedRelease.edits(from: proposal.start, to: known, git)
    }

    /// Pushes a commit to the branch, and replaces the commit of an earlier proposal.
    func push(_ commit: String, over known: String?) throws(OperationFailure) {
        let run = try push(commit, to: proposal.branch, [lease(on: proposal.branch, known)])
        guard !run.report.succeeded else { return }
        throw .refused([try PushReport.refusal(run, git).hook ?? rejection(run)])
    }

    private func rejection(_ run: CapturedRun) -> String {
        let report = PushReport(run)
        return "'\(remote)' rejected the branch '\(proposal.branch)': \(report.reason)"
            + (report.otherRejection?.contains("stale info") == true
                ? "\nhint: another run has changed it; run it again"
                : "\nhint: the credentials of git must permit pushes to '\(proposal.prefix)*'")
    }

    /// Deletes the branch of a proposal of another version, which closes its pull request.
    ///
    /// - Parameter commits: The commits of `lane` that the pull request names.
    /// - Returns: `false` if the branch contains commits of others, or the remote rejects it.
    func delete(_ version: SemanticVersion, _ commits: [String]) throws(OperationFailure) -> Bool {
        let branch = proposal.prefix + version.description
        guard let known = try commit(of: branch) else { return true }
        guard !commits.isEmpty, try isOurs(known, version, commits, for: nil) else { return false }
        return try push("", to: branch, [lease(on: branch, known)]).report.succeeded
    }

    private func lease(on branch: String, _ known: String?) -> String {
        "--force-with-lease=refs/heads/\(branch):\(known ?? "")"
    }

    private func push(
        _ commit: String, to branch: String, _ options: [String]
    ) throws(OperationFailure) -> CapturedRun {
        try git.attempt(
            ["push", "--porcelain", "--no-follow-tags"] + options + ["--", remote, "\(commit):refs/heads/\(branch)"])
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
    ///
    /// - Parameter new: The release commit, or `nil` if it doesn't exist.
    private func isOurs(
        _ commit: String, _ version: SemanticVersion, _ commits: [String], for new: String?
    ) throws(OperationFailure) -> Bool {
        try git.run(["fetch", "--quiet", "--no-tags", "--", remote, "refs/heads/\(proposal.prefix)\(version)"])
        var commit = commit
        while !commits.contains(commit) {
            let parents = try git.text(["rev-parse", "\(commit)^@"]).lines
            guard parents.count == 2 else {
                guard commits.isEmpty, let new else { return false }
                return try !isOutdated(commit, new)
            }
            let isOfBase = try parents.map { (parent) throws(OperationFailure) in
                try git.isAncestor(parent, of: proposal.start)
            }
            let merged = try git.attempt(["merge-tree", "--write-tree", parents[0], parents[1]])
            guard merged.report.status != 129 else {
                throw .refused(["git 2.38 or later is needed to compare the updated branch '\(proposal.branch)'"])
            }
            guard isOfBase.contains(true), merged.report.succeeded, merged.text.lines.first == (try tree(of: commit))
            else { return false }
            commit = parents[isOfBase[1] ? 0 : 1]
        }
        return true
    }

    /// Returns a Boolean value that indicates whether a branch lacks commits of the base branch, or has other files. Other
    /// dates are the same: a release commit of another day would only dismiss the reviews.
    private func isOutdated(_ known: String, _ new: String) throws(OperationFailure) -> Bool {
        guard try git.isAncestor(proposal.start, of: known) else { return true }
        let (old, other) = (try tree(of: known), try tree(of: new))
        guard old != other else { return false }
        return try !differsInDates(old, other)
    }

    /// Returns a Boolean value that indicates whether two trees differ only in dates within lines.
    private func differsInDates(_ one: String, _ other: String) throws(OperationFailure) -> Bool {
        let difference = try git.text([
            "diff", "--no-color", "--no-ext-diff", "--no-renames", "--unified=0", one, other,
        ])
        var lines: (removed: [String], added: [String]) = ([], [])
        var isInHunk = false
        for line in difference.lines {
            if line.hasPrefix("@@") {
                isInHunk = true
            } else if isInHunk, line.hasPrefix("-") {
                lines.removed.append(CalendarDates.replaced(in: line.dropFirst(), with: "").text)
            } else if isInHunk, line.hasPrefix("+") {
                lines.added.append(CalendarDates.replaced(in: line.dropFirst(), with: "").text)
            } else if !line.hasPrefix("\\") {
                isInHunk = false
                guard ["diff ", "index ", "--- ", "+++ "].contains(where: line.hasPrefix) else { return false }
            }
        }
        return lines.removed == lines.added
    }

    private func tree(of commit: String) throws(OperationFailure) -> String {
        try git.text(["rev-parse", "\(commit)^{tree}"]).lines.first ?? ""
    }

    /// Returns the address to which a remote pushes, if it is another than that for fetches.
    private static func address(of remote: String, _ git: Git) throws(OperationFailure) -> String {
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
