import LaneRun

import Diagnostics
import Files
import LaneModel
import Processes
import Synchronization

/// Work in a private worktree that becomes real as a whole; `GitTransactionSource` says how.
final class GitTransaction: Transaction {
    private struct State {
        /// In the order in which they were planned; a site may have thousands of files.
        var effects: [TransactionEffect] = []
        var known: Set<TransactionEffect> = []
        var isEnded = false
        /// The journal is written; from here on only a recovery knows what may be removed.
        var isDecided = false
    }

    private let place: TransactionPlace
    private let git: Git
    /// The same for what removes the worktree.
    private let tidying: Git
    private let branch: String?
    private let base: String
    private let state = Mutex(State())
    /// Held for as long as the transaction is open.
    private let lock: Mutex<TransactionLock?>

    let notes = TransactionNotes()

    var directory: String { place.package }

    init(
        place: TransactionPlace, git: Git, tidying: Git, lock: TransactionLock, branch: String?, base: String
    ) {
        self.place = place
        self.git = git
        self.tidying = tidying
        self.lock = Mutex(lock)
        self.branch = branch
        self.base = base
    }

    func makeWorktree() throws(StepFailure) {
        try onFiles { () throws(FileError) in
            try makeDirectories(place.folder)
            try writeFile("\(place.root)\n", to: place.origin)
        }
        // The user's hooks are for the user's checkouts; this one is nobody's.
        try git.run([
            "-c", "core.hooksPath=/dev/null", "worktree", "add", "--quiet", "--detach", place.worktree, base,
        ])
        let worktree = git.inside(place.worktree)
        if fileExists("\(place.worktree)/.gitmodules") {
            try copySubmodules(to: worktree)
            try worktree.run(["submodule", "--quiet", "update", "--recursive"])
        }
        guard isDirectory(place.package) else {
            throw .refused(["'\(place.repository.prefix)' is not in the last commit"])
        }
    }

    /// What the checkout has is not fetched again: that would take the network, perhaps a password, and commits that have
    /// been pushed.
    private func copySubmodules(to worktree: Git) throws(StepFailure) {
        let folders = [place.repository.gitDirectory, place.repository.commonDirectory].map { "\($0)/modules" }
        guard let folder = folders.first(where: isDirectory) else { return }
        let target = "\(try worktree.text(["rev-parse", "--absolute-git-dir"]))/modules"
        let run = try git.shell("cp -R \(ShellWords.quoted(folder)) \(ShellWords.quoted(target))")
        guard run.report.succeeded else { throw StepFailure(of: "cp", run) }
    }

    func plan(_ effect: TransactionEffect) {
        state.withLock { state in
            guard !state.isEnded, state.known.insert(effect).inserted else { return }
            state.effects.append(effect)
        }
    }

    @discardableResult
    func commit() throws(StepFailure) -> String? {
        guard let effects = state.withLock({ $0.isEnded ? nil : $0.effects }) else {
            throw StepFailure(status: ExitStatus.internal.rawValue, "the transaction has ended already")
        }
        let journal = try decide(effects)
        guard journal.movesBranch || journal.tag != nil || !journal.kept.isEmpty else {
            abandon()
            return nil
        }
        try IndexLock.take(place)
        do throws(StepFailure) {
            try journal.prepareIndex(at: place, git)
            state.withLock { $0.isDecided = true }
            try journal.write(to: place)
        } catch {
            state.withLock { $0.isDecided = false }
            IndexLock.release(place)
            throw error
        }
        try TransactionFinish(place: place, journal: journal).run(tidying)
        state.withLock { $0.isDecided = false }
        end()
        return journal.summary(git)
    }

    func abandon() {
        if !state.withLock({ $0.isEnded }) { end() }
    }

    private func end() {
        let isDecided = state.withLock { state in
            state.isEnded = true
            return state.isDecided
        }
        // A directory that cannot be removed now does no harm; the next run tries again.
        if !isDecided { try? TransactionRecovery(place: place, git: tidying).discard() }
        lock.withLock { $0 = nil }
    }

    /// Everything that can still be wrong, found before anything is changed.
    private func decide(_ effects: [TransactionEffect]) throws(StepFailure) -> TransactionJournal {
        let worktree = git.inside(place.worktree)
        let new = try worktree.text(["rev-parse", "--verify", "HEAD^{commit}"])
        var problems: [String] = []
        let left = try worktree.text(["status", "--porcelain", "--untracked-files=no"]).lines
        if !left.isEmpty {
            problems.append(
                "changed but not committed: \(left.map { String($0.dropFirst(3)) }.joined(separator: ", "))")
        }
        if new != base {
            let now = try git.attempt(["symbolic-ref", "--quiet", "HEAD"])
            if branch == nil {
                problems.append("HEAD is detached, so there is no branch for the new commit\nhint: git switch main")
            } else if now.text.lines.first != branch {
                problems.append("the checkout was switched away from '\(shortBranch)' meanwhile")
            } else if try git.text(["rev-parse", "HEAD"]) != base {
                problems.append("'\(shortBranch)' got other commits meanwhile\nhint: start again")
            }
        }
        var tag: TransactionJournal.Tag?
        var kept: [String] = []
        for effect in effects {
            switch effect {
            case .tag(let name, let message):
                if tag != nil { problems.append("a transaction makes one tag, not '\(name)' as well") }
                tag = .init(name: name, object: try makeTag(name, message, on: new))
            case .keep(let path):
                if fileKind("\(place.package)/\(path)") != .file { problems.append("'\(path)' was not made") }
                kept.append(path)
            }
        }
        guard problems.isEmpty else { throw .refused(problems) }
        return TransactionJournal(
            branch: branch, old: base, new: new, tag: tag, kept: kept, record: notes.record)
    }

    private var shortBranch: String { branch.map { String($0.dropFirst("refs/heads/".count)) } ?? "HEAD" }

    /// Makes the tag object, signed if the user's configuration wants it, and gives it no name here: git insists on a
    /// name, so it gets one in an empty repository that shares our objects and configuration.
    private func makeTag(_ name: String, _ message: String, on commit: String) throws(StepFailure) -> String {
        let existing = try git.attempt(["rev-parse", "--verify", "--quiet", "refs/tags/\(name)"])
        guard !existing.report.succeeded else { throw .refused(["the tag '\(name)' exists already"]) }
        let repository = place.tagRepository
        let isPlain = place.repository.objectFormat == "sha1"
        let configuration = """
            [core]
            \trepositoryformatversion = \(isPlain ? 0 : 1)
            [include]
            \tpath = \(quoted("\(place.repository.commonDirectory)/config"))
            [core]
            \tbare = true
            \(isPlain ? "" : "[extensions]\n\tobjectformat = \(place.repository.objectFormat)\n")
            """
        try onFiles { () throws(FileError) in
            try removeTree(repository)
            try makeDirectories("\(repository)/refs/tags")
            try makeDirectories("\(repository)/objects")
            try writeFile("ref: refs/heads/none\n", to: "\(repository)/HEAD")
            try writeFile(configuration, to: "\(repository)/config")
        }
        let settings = [
            "GIT_DIR": repository, "GIT_OBJECT_DIRECTORY": "\(place.repository.commonDirectory)/objects",
        ]
        try TagSignature.makeTag(name, message, on: commit, git, in: place.worktree, settings: settings)
        let made = try git.inside(place.worktree).run(["rev-parse", "refs/tags/\(name)"], settings: settings)
        let object = made.text.lines.first ?? ""
        try TagSignature.check(object, named: name, git)
        return object
    }

    private func quoted(_ path: String) -> String {
        "\"" + path.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}
