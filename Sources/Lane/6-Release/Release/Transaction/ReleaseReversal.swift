import Git
import OperatingSystem
import Text

/// The reversal of a release that exists only in this repository. It removes the tag and the files, and moves the
/// branch back.
struct ReleaseReversal {
    let paths: TransactionPaths
    let git: Git
    let journal: TransactionJournal

    /// - Returns: A description of the changes.
    func run() throws(OperationFailure) -> String {
        try requireUnpublished()
        let reversal = try plan()
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(paths.directory)
            try writeFile("\(paths.root)\n", to: paths.origin)
        }
        do throws(OperationFailure) {
            try IndexLock.take(paths)
            try reversal.prepareIndex(at: paths, git)
            try reversal.write(to: paths)
        } catch {
            try TransactionRecovery(paths: paths, git: git).discard()
            throw error
        }
        try TransactionFinish(paths: paths, journal: reversal).run(git)
        try TransactionRecovery(paths: paths, git: git).discard()
        return "undid the \(journal.title): \(state(after: reversal))"
    }

    private func state(after reversal: TransactionJournal) -> String {
        let branch = journal.branch.map { "'\($0.dropFirst("refs/heads/".count))'" } ?? "HEAD"
        if reversal.movesBranch { return "\(branch) is at \(reversal.new.prefix(9)) again" }
        guard journal.movesBranch else { return "the tag is removed" }
        return
            "the tag is removed; \(branch) keeps its commits\nhint: git revert \(journal.new.prefix(9)) also removes the "
            + "version and its notes"
    }

    /// Throws an error if the release is or may be pushed.
    private func requireUnpublished() throws(OperationFailure) {
        let answers = try PushedRelease(git: git, paths: paths, journal: journal).find()
        if let remote = answers.remote {
            throw .refused([
                "the \(journal.title) has been pushed to '\(remote)', so it cannot be undone\n"
                    + "hint: release a new version"
            ])
        }
        if !answers.unknown.isEmpty {
            throw .refused(answers.unknown.map { "\($0)\nhint: if the remote no longer exists, git remote remove" })
        }
    }

    /// Returns the journal of the reversal. It moves the branch back only if the release is the branch's last commit.
    private func plan() throws(OperationFailure) -> TransactionJournal {
        let state = try ReleaseState.find(of: journal, git)
        if state == .gone { throw .refused(["there is no \(journal.title) to undo"]) }
        let head = try git.attempt(["symbolic-ref", "--quiet", "HEAD"]).text.lines.first
        guard journal.movesBranch, let branch = journal.branch else { return reversal(branch: nil, from: "", to: "") }
        guard head == branch else {
            let name = branch.dropFirst("refs/heads/".count)
            throw .refused(["the \(journal.title) was made on '\(name)'\nhint: git switch \(name)"])
        }
        let tip = try git.head()
        if tip == journal.new { return reversal(branch: branch, from: tip, to: journal.old) }
        if state == .rebased {
            return reversal(branch: branch, from: tip, to: try git.text(["rev-parse", "HEAD^"]))
        }
        return reversal(branch: nil, from: "", to: "")
    }

    private func reversal(branch: String?, from old: String, to new: String) -> TransactionJournal {
        TransactionJournal(
            branch: branch, old: old, new: new, tag: journal.tag, kept: journal.kept, isReversal: true)
    }
}

/// The relation of HEAD to the last release in this checkout.
enum ReleaseState {
    /// HEAD is the commit of the release or a descendant.
    case reachable
    /// HEAD is a rebased copy of the commit of the release.
    case rebased
    /// HEAD is another commit.
    case elsewhere
    /// The tag was removed or moved.
    case gone

    static func find(of journal: TransactionJournal, _ git: Git) throws(OperationFailure) -> ReleaseState {
        if let tag = journal.tag {
            let name = "refs/tags/\(tag.name)"
            let merged = try git.attempt(["for-each-ref", "--merged=HEAD", "--format=%(objectname)", name])
            if merged.text.lines.first == tag.object { return .reachable }
            let target = try git.attempt(["rev-parse", "--verify", "--quiet", name])
            guard target.text.lines.first == tag.object else { return .gone }
        }
        if try git.attempt(["merge-base", "--is-ancestor", journal.new, "HEAD"]).report.succeeded { return .reachable }
        let format = "--format=%an%n%ae%n%at%n%s"
        let own = try git.attempt(["log", "-1", "--no-show-signature", format, journal.new, "--"])
        let tip = try git.attempt(["log", "-1", "--no-show-signature", format, "HEAD", "--"])
        return own.report.succeeded && own.text == tip.text ? .rebased : .elsewhere
    }
}
