import Diagnostics
import Files
import Git
import LaneModel
import LaneRun
import Processes
import Synchronization
import Text

/// A transaction in a private worktree, which is applied as a whole; see `GitTransactionSource`.
final class GitTransaction: Transaction {
    private struct State {
        /// The planned effects in order. A website may have thousands of files.
        var effects: [TransactionEffect] = []
        var known: Set<TransactionEffect> = []
        var isEnded = false
        /// A Boolean value that indicates whether the journal was written, so that only a recovery may remove files.
        var isDecided = false
    }

    private let paths: TransactionPaths
    private let git: Git
    /// Git for the removal of the worktree.
    private let tidying: Git
    private let branch: String?
    private let base: String
    private let state = Mutex(State())
    /// The lock of the repository, held during the transaction.
    private let lock: Mutex<TransactionLock?>

    let notes = TransactionNotes()

    var directory: String { paths.package }

    init(
        paths: TransactionPaths, git: Git, tidying: Git, lock: TransactionLock, branch: String?, base: String
    ) {
        self.paths = paths
        self.git = git
        self.tidying = tidying
        self.lock = Mutex(lock)
        self.branch = branch
        self.base = base
    }

    func makeWorktree() throws(StepFailure) {
        try onFiles { () throws(FileError) in
            try makeDirectories(paths.folder)
            try writeFile("\(paths.root)\n", to: paths.origin)
        }
        // Hooks are disabled in the private worktree.
        try git.run([
            "-c", "core.hooksPath=/dev/null", "worktree", "add", "--quiet", "--detach", paths.worktree, base,
        ])
        let worktree = git.inside(paths.worktree)
        if fileExists("\(paths.worktree)/.gitmodules") {
            try copySubmodules(to: worktree)
            try worktree.run(["submodule", "--quiet", "update", "--recursive"])
        }
        guard isDirectory(paths.package) else {
            throw .refused(["'\(paths.repository.prefix)' is not in the last commit"])
        }
    }

    /// Copies the submodules of the checkout. Fetching them would require the network and possibly credentials, and
    /// only works for pushed commits.
    private func copySubmodules(to worktree: Git) throws(StepFailure) {
        let folders = [paths.repository.gitDirectory, paths.repository.commonDirectory].map { "\($0)/modules" }
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
            throw StepFailure(status: ExitStatus.internal.rawValue, "the transaction has already ended")
        }
        let journal = try decide(effects)
        guard journal.movesBranch || journal.tag != nil || !journal.kept.isEmpty else {
            abandon()
            return nil
        }
        try IndexLock.take(paths)
        do throws(StepFailure) {
            try journal.prepareIndex(at: paths, git)
            state.withLock { $0.isDecided = true }
            try journal.write(to: paths)
        } catch {
            state.withLock { $0.isDecided = false }
            IndexLock.release(paths)
            throw error
        }
        try TransactionFinish(paths: paths, journal: journal).run(tidying)
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
        // If the directory cannot be removed now, the next run removes it.
        if !isDecided { try? TransactionRecovery(paths: paths, git: tidying).discard() }
        lock.withLock { $0 = nil }
    }

    /// Checks everything that can fail, before anything is changed. Returns the journal.
    private func decide(_ effects: [TransactionEffect]) throws(StepFailure) -> TransactionJournal {
        let worktree = git.inside(paths.worktree)
        let new = try worktree.text(["rev-parse", "--verify", "HEAD^{commit}"])
        var problems: [String] = []
        let left = try worktree.text(["status", "--porcelain", "--untracked-files=no"]).lines
        if !left.isEmpty {
            problems.append(
                "changed but not committed: \(left.map { String($0.dropFirst(3)) }.joined(separator: ", "))")
        }
        if new != base {
            let head = try git.attempt(["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"]).text.lines
            if branch == nil {
                problems.append("HEAD is detached, so there is no branch for the new commit\nhint: git switch main")
            } else if head.last != branch {
                problems.append("the checkout was switched away from '\(shortBranch)' meanwhile")
            } else if head.first != base {
                problems.append("'\(shortBranch)' got other commits meanwhile\nhint: run the lane again")
            }
        }
        var tag: TransactionJournal.Tag?
        var kept: [String] = []
        for effect in effects {
            switch effect {
            case .tag(let name, let message):
                if tag != nil { problems.append("a transaction can create only one tag, but '\(name)' is another one") }
                tag = .init(name: name, object: try makeTag(name, message, on: new))
            case .keep(let path):
                if fileKind("\(paths.package)/\(path)") != .file { problems.append("'\(path)' was not created") }
                kept.append(path)
            }
        }
        guard problems.isEmpty else { throw .refused(problems) }
        return TransactionJournal(
            branch: branch, old: base, new: new, tag: tag, kept: kept, record: notes.record)
    }

    private var shortBranch: String { branch.map { String($0.dropFirst("refs/heads/".count)) } ?? "HEAD" }

    /// Creates the tag object, signed if the user's configuration requires it, without a reference. Git requires a
    /// reference, so it is created in an empty repository that shares the objects and the configuration.
    private func makeTag(_ name: String, _ message: String, on commit: String) throws(StepFailure) -> String {
        let existing = try git.attempt(["rev-parse", "--verify", "--quiet", "refs/tags/\(name)"])
        guard !existing.report.succeeded else { throw .refused(["the tag '\(name)' already exists"]) }
        let repository = paths.tagRepository
        let isPlain = paths.repository.objectFormat == "sha1"
        let configuration = """
            [core]
            \trepositoryformatversion = \(isPlain ? 0 : 1)
            [include]
            \tpath = \(quoted("\(paths.repository.commonDirectory)/config"))
            [core]
            \tbare = true
            \(isPlain ? "" : "[extensions]\n\tobjectformat = \(paths.repository.objectFormat)\n")
            """
        try onFiles { () throws(FileError) in
            try removeTree(repository)
            try makeDirectories("\(repository)/refs/tags")
            try makeDirectories("\(repository)/objects")
            try writeFile("ref: refs/heads/none\n", to: "\(repository)/HEAD")
            try writeFile(configuration, to: "\(repository)/config")
        }
        let settings = [
            "GIT_DIR": repository, "GIT_OBJECT_DIRECTORY": "\(paths.repository.commonDirectory)/objects",
        ]
        let signing = try TagSignature.makeTag(
            name, message, on: commit, git, in: paths.worktree, settings: settings)
        let made = try git.inside(paths.worktree).run(["rev-parse", "refs/tags/\(name)"], settings: settings)
        let object = made.text.lines.first ?? ""
        try TagSignature.check(object, named: name, requiredBy: signing, git)
        return object
    }

    private func quoted(_ path: String) -> String {
        "\"" + path.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}
