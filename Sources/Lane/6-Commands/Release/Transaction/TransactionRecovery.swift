import CLibrary
import Git
import OperatingSystem
import Text

/// The recovery of a killed transaction: completes or discards it. The caller must hold the lock of the repository.
///
/// The recovery can be killed at any time, because all operations can be repeated. The last one removes the directory
/// by a rename.
struct TransactionRecovery {
    let paths: TransactionPaths
    let git: Git

    enum Outcome: Equatable {
        case nothingToDo
        /// The transaction had changed nothing. Its temporary files were removed.
        case dropped
        /// The release was completed. The text describes the changes.
        case finished(String)

        /// The message for the user, or `nil` if there was nothing to do.
        var text: String? {
            switch self {
            case .nothingToDo: nil
            case .dropped: "removed the files of an interrupted run, which had changed nothing"
            case .finished(let text): text
            }
        }
    }

    /// Finds the checkout of the transaction, which may be another worktree.
    init(paths: TransactionPaths, git: Git) {
        guard let origin = (try? readText(paths.origin))?.lines.first, origin != paths.root, isDirectory(origin),
            let repository = try? Repository.find(git.inside(origin)),
            repository.commonDirectory == paths.repository.commonDirectory
        else {
            (self.paths, self.git) = (paths, git)
            return
        }
        self.git = git.inside(origin)
        self.paths = TransactionPaths(repository: repository)
    }

    @discardableResult
    func run() throws(OperationFailure) -> Outcome {
        removeDiscarded()
        guard fileExists(paths.directory) else { return .nothingToDo }
        waitForFinisher()
        guard let journal = try TransactionJournal.read(from: paths) else {
            let wasDone = fileExists(paths.done)
            try discard()
            return wasDone ? .finished("removed the private worktree of a finished release") : .dropped
        }
        try ReferenceLocks(paths: paths, journal: journal).removeStale()
        guard try hasBegun(journal) else {
            try discard()
            return .dropped
        }
        let notes = try finish(journal)
        try discard()
        let words = journal.isReversal ? "finished undoing the" : "finished the"
        return .finished((["\(words) \(journal.title), which had been interrupted"] + notes).joined(separator: "\n"))
    }

    /// Removes the transaction: first the journal, then the index lock, git's record of the worktree, and the
    /// directory. In this order, the removal can be interrupted at any point and repeated. `git worktree remove` cannot
    /// be repeated after it was killed.
    func discard() throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in
            try removeTree(paths.journal)
            IndexLock.release(paths)
            for (number, entry) in worktreeEntries.enumerated() {
                try moveFile(entry, to: unusedPath("\(paths.directory)/entry.\(number).", from: 0))
            }
            if fileExists(paths.directory) {
                try moveFile(paths.directory, to: unusedPath("\(paths.home)/\(TransactionPaths.discarded)", from: 0))
            }
        }
        rmdir("\(paths.repository.commonDirectory)/worktrees")
        removeDiscarded()
    }

    /// Removes discarded directories. The next run retries directories that a process is still writing to.
    private func removeDiscarded() {
        let names = (try? listDirectory(paths.home)) ?? []
        for name in names where name.hasPrefix(TransactionPaths.discarded) { try? removeTree("\(paths.home)/\(name)") }
    }

    /// The directories in which git records private worktrees, including incomplete records. `git worktree prune` would
    /// also remove records of the user's worktrees on unmounted drives.
    private var worktreeEntries: [String] {
        let directory = "\(paths.repository.commonDirectory)/worktrees"
        return ((try? listDirectory(directory)) ?? []).map { "\(directory)/\($0)" }.filter { entry in
            guard let target = (try? readText("\(entry)/gitdir"))?.lines.first, !target.isEmpty else {
                return isDirectory(entry)
            }
            let own = [paths.directory, resolvedPath(paths.directory) ?? paths.directory, "../../lane/transaction"]
            return own.contains { target.hasPrefix("\($0)/") }
        }
    }

    private func unusedPath(_ prefix: String, from number: Int) -> String {
        fileExists("\(prefix)\(number)") ? unusedPath(prefix, from: number + 1) : "\(prefix)\(number)"
    }

    /// Waits until the shell of a killed `lane` ends, which takes milliseconds.
    private func waitForFinisher() {
        guard let text = try? readText(paths.finisher), let process = pid_t(text.lines.first ?? ""), process > 1
        else { return }
        for _ in 0..<500 where processIsRunning(process) { usleep(20_000) }
    }

    /// Returns a Boolean value that indicates whether a reference has moved. From then on, the release exists.
    func hasBegun(_ journal: TransactionJournal) throws(OperationFailure) -> Bool {
        if !journal.movesBranch, journal.tag == nil { return true }
        if let tag = journal.tag {
            let target = try target(of: "refs/tags/\(tag.name)")
            if journal.isReversal ? target == nil : target == tag.object { return true }
        }
        guard journal.movesBranch, let branch = journal.branch else { return false }
        let tip = try target(of: branch)
        if tip == journal.new { return true }
        if journal.isReversal { return false }
        // The user may have committed after the release.
        guard tip != nil else { return false }
        return try answer(["merge-base", "--is-ancestor", journal.new, branch]) != nil
    }

    private func finish(_ journal: TransactionJournal) throws(OperationFailure) -> [String] {
        if let tag = journal.tag {
            let name = "refs/tags/\(tag.name)"
            let target = try target(of: name)
            if journal.isReversal, target == tag.object { try git.run(["update-ref", "-d", name, tag.object]) }
            if !journal.isReversal, target == nil { try git.run(["update-ref", name, tag.object, ""]) }
        }
        if journal.movesBranch, let branch = journal.branch, try target(of: branch) == journal.old {
            try git.run(["update-ref", branch, journal.new, journal.old])
        }
        let notes = try updateCheckout(journal)
        IndexLock.release(paths)
        let finish = TransactionFinish(paths: paths, journal: journal)
        let run = try git.shell((finish.fileSteps + finish.endSteps).joined(separator: "\n"))
        guard run.report.succeeded else { throw OperationFailure(of: "moving files into place", run) }
        return notes
    }

    /// Updates the files and the index to the new commit. Keeps files that the user has changed since. Git then shows
    /// them as changed.
    private func updateCheckout(_ journal: TransactionJournal) throws(OperationFailure) -> [String] {
        guard journal.movesBranch, let branch = journal.branch, fileExists(paths.index),
            try git.currentBranch() == branch, try target(of: branch) == journal.new
        else { return [] }
        let checkout = git.inside(paths.repository.topLevel)
        let settings = ["GIT_INDEX_FILE": paths.index]
        try convertingFileErrors(of: writeFile(readFile(paths.userIndex), to: paths.index))
        try checkout.run(["read-tree", "-i", "-m", journal.old, journal.new], settings: settings)

        let changes = try TreeChange.between(journal.old, journal.new, git: checkout)
        var safe: [TreeChange] = []
        var notes: [String] = []
        for change in changes {
            if try change.isUntouched(in: checkout) {
                safe.append(change)
            } else {
                notes.append("'\(change.path)' was changed since and is kept")
            }
        }
        let written = safe.filter { $0.new != nil }
        try checkout.run(
            ["checkout-index", "--force", "--index", "-z", "--stdin"],
            input: written.flatMap { Array($0.path.utf8) + [0] }, settings: settings)
        for change in safe where change.new == nil { try remove(change.path, in: checkout.directory) }
        try convertingFileErrors(of: moveFile(paths.index, to: paths.userIndex))
        return notes
    }

    /// Removes a file and, like git, the directories that become empty.
    private func remove(_ path: String, in directory: String) throws(OperationFailure) {
        try convertingFileErrors(of: removeTree("\(directory)/\(path)"))
        var parent = parentDirectory("\(directory)/\(path)")
        while parent.hasPrefix("\(directory)/"), rmdir(parent) == 0 { parent = parentDirectory(parent) }
    }

    /// Returns the output of a command of git that ends with status 1 to say no; `nil` for this status. Another status is
    /// an error, after which the transaction must be neither completed nor discarded.
    private func answer(_ arguments: [String]) throws(OperationFailure) -> String? {
        let run = try git.attempt(arguments)
        if run.report.succeeded { return run.text }
        guard run.report.stoppedBy == nil, run.report.termination == .exited(1) else {
            throw OperationFailure(of: "git \(arguments[0])", run)
        }
        return nil
    }

    private func target(of name: String) throws(OperationFailure) -> String? {
        try answer(["rev-parse", "--verify", "--quiet", name])?.lines.first
    }
}
