import Files
import LaneRun
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Finishes or drops what an interrupted `lane` left in a repository. The caller holds the repository's lock.
///
/// It may itself be killed at any moment: every part can be done twice, and the folder goes last, by a rename.
struct TransactionRecovery {
    let place: TransactionPlace
    let git: Git

    enum Outcome: Equatable {
        case nothingToDo
        /// Nothing had been changed, and what was in the way is gone.
        case dropped
        /// The release is real and whole; with notes for a person.
        case finished(String)

        /// For a person; `nil` when there was nothing to do.
        var text: String? {
            switch self {
            case .nothingToDo: nil
            case .dropped: "removed what an interrupted run had left; it had changed nothing"
            case .finished(let text): text
            }
        }
    }

    /// Finds the checkout that the transaction was begun in, which may be another worktree than `place` is about.
    init(place: TransactionPlace, git: Git) {
        guard let origin = (try? readText(place.origin))?.lines.first, origin != place.root, isDirectory(origin),
            let repository = try? Repository.find(git.inside(origin)),
            repository.commonDirectory == place.repository.commonDirectory
        else {
            (self.place, self.git) = (place, git)
            return
        }
        self.git = git.inside(origin)
        self.place = TransactionPlace(repository: repository)
    }

    @discardableResult
    func run() throws(StepFailure) -> Outcome {
        removeDiscarded()
        guard fileExists(place.folder) else { return .nothingToDo }
        waitForFinisher()
        guard let journal = try TransactionJournal.read(from: place) else {
            let wasDone = fileExists(place.done)
            try discard()
            return wasDone ? .finished("removed the private worktree of a finished release") : .dropped
        }
        try ReferenceLocks(place: place, journal: journal).removeStale()
        guard try hasBegun(journal) else {
            try discard()
            return .dropped
        }
        let notes = try finish(journal)
        try discard()
        let words = journal.takesBack ? "finished taking back the" : "finished the"
        return .finished((["\(words) \(journal.title), which had been interrupted"] + notes).joined(separator: "\n"))
    }

    /// Removes everything of the transaction, in an order in which each part may be the last one: the journal, so that
    /// nothing is left to do; the index lock; git's note of the worktree; the folder. Git's own `worktree remove` cannot
    /// go on from where it was killed.
    func discard() throws(StepFailure) {
        try onFiles { () throws(FileError) in
            try removeTree(place.journal)
            IndexLock.release(place)
            for (number, entry) in worktreeEntries.enumerated() {
                try moveFile(entry, to: unusedPath("\(place.folder)/entry.\(number).", from: 0))
            }
            if fileExists(place.folder) {
                try moveFile(place.folder, to: unusedPath("\(place.home)/\(TransactionPlace.discarded)", from: 0))
            }
        }
        rmdir("\(place.repository.commonDirectory)/worktrees")
        removeDiscarded()
    }

    /// Removes folders that no run needs any more. One that a process still writes into is left for the next time.
    private func removeDiscarded() {
        let names = (try? listDirectory(place.home)) ?? []
        for name in names where name.hasPrefix(TransactionPlace.discarded) { try? removeTree("\(place.home)/\(name)") }
    }

    /// The folders in which git keeps what it knows of private worktrees, also of one that it had only begun to make.
    /// A general `git worktree prune` would also forget worktrees of the user's on drives that are away.
    private var worktreeEntries: [String] {
        let folder = "\(place.repository.commonDirectory)/worktrees"
        return ((try? listDirectory(folder)) ?? []).map { "\(folder)/\($0)" }.filter { entry in
            guard let target = (try? readText("\(entry)/gitdir"))?.lines.first, !target.isEmpty else {
                return isDirectory(entry)
            }
            let own = [place.folder, resolvedPath(place.folder) ?? place.folder, "../../lane/transaction"]
            return own.contains { target.hasPrefix("\($0)/") }
        }
    }

    private func unusedPath(_ prefix: String, from number: Int) -> String {
        fileExists("\(prefix)\(number)") ? unusedPath(prefix, from: number + 1) : "\(prefix)\(number)"
    }

    /// The child of a killed `lane` may still be at it; it needs milliseconds.
    private func waitForFinisher() {
        guard let text = try? readText(place.finisher), let process = pid_t(text.lines.first ?? ""), process > 1
        else { return }
        for _ in 0..<500 where kill(process, 0) == 0 { usleep(20_000) }
    }

    /// Tells whether any of the names has moved, that is, whether the release is real.
    func hasBegun(_ journal: TransactionJournal) throws(StepFailure) -> Bool {
        if !journal.movesBranch, journal.tag == nil { return true }
        if let tag = journal.tag {
            let target = try target(of: "refs/tags/\(tag.name)")
            if journal.takesBack ? target == nil : target == tag.object { return true }
        }
        guard journal.movesBranch, let branch = journal.branch else { return false }
        let tip = try target(of: branch)
        if tip == journal.new { return true }
        if journal.takesBack { return false }
        // Someone has gone on from the release's commit.
        return try git.attempt(["merge-base", "--is-ancestor", journal.new, branch]).report.succeeded
    }

    private func finish(_ journal: TransactionJournal) throws(StepFailure) -> [String] {
        if let tag = journal.tag {
            let name = "refs/tags/\(tag.name)"
            let target = try target(of: name)
            if journal.takesBack, target == tag.object { try git.run(["update-ref", "-d", name, tag.object]) }
            if !journal.takesBack, target == nil { try git.run(["update-ref", name, tag.object, ""]) }
        }
        if journal.movesBranch, let branch = journal.branch, try target(of: branch) == journal.old {
            try git.run(["update-ref", branch, journal.new, journal.old])
        }
        let notes = try bringCheckout(journal)
        IndexLock.release(place)
        let finish = TransactionFinish(place: place, journal: journal)
        let run = try git.shell((finish.fileSteps + finish.endSteps).joined(separator: "\n"))
        guard run.report.succeeded else { throw StepFailure(of: "moving files into place", run) }
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
        for change in safe where change.new == nil { try remove(change.path, in: checkout.directory) }
        try onFiles { () throws(FileError) in try moveFile(place.index, to: place.userIndex) }
        return notes
    }

    /// Removes a file and the folders that become empty by it, as git does.
    private func remove(_ path: String, in directory: String) throws(StepFailure) {
        try onFiles { () throws(FileError) in try removeTree("\(directory)/\(path)") }
        var folder = parentDirectory("\(directory)/\(path)")
        while folder.hasPrefix("\(directory)/"), rmdir(folder) == 0 { folder = parentDirectory(folder) }
    }

    private func target(of name: String) throws(StepFailure) -> String? {
        let run = try git.attempt(["rev-parse", "--verify", "--quiet", name])
        if run.report.stoppedBy != nil { throw StepFailure(of: "git rev-parse", run) }
        return run.report.succeeded ? run.text.lines.first : nil
    }
}
