import Files
import LaneRun
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sees to what a killed `lane` left in a repository. Whoever runs it holds the repository's lock.
struct TransactionRecovery {
    let place: TransactionPlace
    let git: Git

    enum Outcome: Equatable {
        case nothingToDo
        /// Nothing had been changed, and what was in the way is gone.
        case dropped
        /// The release is real and whole; with what a person should know.
        case finished(String)

        /// For a person; `nil` when there was nothing to do.
        var text: String? {
            switch self {
            case .nothingToDo: nil
            case .dropped: "removed what a killed run had left; it had changed nothing"
            case .finished(let text): text
            }
        }
    }

    @discardableResult
    func run() throws(StepFailure) -> Outcome {
        guard fileExists(place.folder) else { return .nothingToDo }
        waitForFinisher()
        let journal = try TransactionJournal.read(from: place)
        if let journal { removeStaleLocks(journal) }
        guard let journal, try hasBegun(journal) else {
            IndexLock.release(place)
            removeWorktree()
            return .dropped
        }
        let notes = try finish(journal)
        removeWorktree()
        let name = journal.tag.map { "release '\($0.name)'" } ?? "transaction"
        return .finished((["finished the \(name), which had been killed"] + notes).joined(separator: "\n"))
    }

    /// Removes the private worktree, then git's note of it, then our folder: as long as that is there, the next run knows
    /// that something is left. A general `git worktree prune` would also forget worktrees of the user's on drives that
    /// are away.
    func removeWorktree() {
        guard let removal = try? git.attempt(["worktree", "remove", "--force", "--force", place.worktree]) else {
            return
        }
        guard removal.report.succeeded || removal.errorText.contains("is not a working tree") else { return }
        try? removeTree(place.folder)
    }

    /// The child of a killed `lane` may still be at it; it needs milliseconds.
    private func waitForFinisher() {
        guard let text = try? readText(place.finisher), let process = pid_t(text.lines.first ?? ""), process > 1
        else { return }
        for _ in 0..<500 where kill(process, 0) == 0 { usleep(20_000) }
    }

    /// A git that was killed together with everything else leaves its lock files behind. Nobody but us moves these names
    /// while a journal is there, apart from the user's own git, which needs milliseconds.
    private func removeStaleLocks(_ journal: TransactionJournal) {
        let names = [journal.branch, journal.tag.map { "refs/tags/\($0.name)" }].compactMap { $0 }
        let locks =
            names.map { "\(place.repository.commonDirectory)/\($0).lock" }
            + ["\(place.repository.gitDirectory)/HEAD.lock", "\(place.index).lock"]
        let present = locks.filter(fileExists)
        guard !present.isEmpty else { return }
        usleep(200_000)
        for lock in present { unlink(lock) }
    }

    /// Whether any of the names has moved, that is, whether the release is real.
    private func hasBegun(_ journal: TransactionJournal) throws(StepFailure) -> Bool {
        if !journal.movesBranch, journal.tag == nil { return true }
        if let tag = journal.tag, try target(of: "refs/tags/\(tag.name)") == tag.object { return true }
        guard journal.movesBranch, let branch = journal.branch else { return false }
        let tip = try target(of: branch)
        if tip == journal.new { return true }
        // Someone has gone on from the release's commit.
        return try git.attempt(["merge-base", "--is-ancestor", journal.new, branch]).report.succeeded
    }

    private func finish(_ journal: TransactionJournal) throws(StepFailure) -> [String] {
        if let tag = journal.tag, try target(of: "refs/tags/\(tag.name)") == nil {
            try git.run(["update-ref", "refs/tags/\(tag.name)", tag.object, ""])
        }
        if journal.movesBranch, let branch = journal.branch, try target(of: branch) == journal.old {
            try git.run(["update-ref", branch, journal.new, journal.old])
        }
        let notes = try bringCheckout(journal)
        IndexLock.release(place)
        for path in journal.kept where fileExists("\(place.package)/\(path)") {
            try onFiles { () throws(FileError) in
                try makeDirectories(parentDirectory("\(place.root)/\(path)"))
                try moveFile("\(place.package)/\(path)", to: "\(place.root)/\(path)")
            }
        }
        try onFiles { () throws(FileError) in try removeTree(place.journal) }
        return notes
    }

    /// Brings files and index to the new commit. A file that is neither of the old nor of the new commit was changed by
    /// the user since; it stays as it is, and git shows it as changed.
    private func bringCheckout(_ journal: TransactionJournal) throws(StepFailure) -> [String] {
        guard journal.movesBranch, let branch = journal.branch, fileExists(place.index),
            try git.attempt(["symbolic-ref", "--quiet", "HEAD"]).text.lines.first == branch,
            try target(of: branch) == journal.new
        else { return [] }
        let checkout = git.inside(place.repository.topLevel)
        let settings = ["GIT_INDEX_FILE": place.index]
        try onFiles { () throws(FileError) in try writeFile(readFile(place.userIndex), to: place.index) }
        try checkout.run(["read-tree", "-i", "-m", journal.old, journal.new], settings: settings)

        let changes = try TreeChange.between(journal.old, journal.new, git: checkout)
        var safe: [TreeChange] = []
        var notes: [String] = []
        for change in changes {
            if try change.isUntouched(in: checkout) {
                safe.append(change)
            } else {
                notes.append("'\(change.path)' was changed since and is left as it is")
            }
        }
        let written = safe.filter { $0.new != nil }
        try checkout.run(
            ["checkout-index", "--force", "--index", "-z", "--stdin"],
            input: written.flatMap { Array($0.path.utf8) + [0] }, settings: settings)
        for change in safe where change.new == nil { unlink("\(checkout.directory)/\(change.path)") }
        try onFiles { () throws(FileError) in try moveFile(place.index, to: place.userIndex) }
        return notes
    }

    private func target(of name: String) throws(StepFailure) -> String? {
        let run = try git.attempt(["rev-parse", "--verify", "--quiet", name])
        return run.report.succeeded ? run.text.lines.first : nil
    }
}
