import Actions
import Archives
import Git
import LaneModel
import OperatingSystem
import Synchronization
import Text

/// A transaction in a private worktree that is applied as a whole. See `GitTransactionSource`.
final class GitTransaction: Transaction {
    private struct State {
        /// The planned effects in order.
        var effects: [TransactionEffect] = []
        var known: Set<TransactionEffect> = []
        var isEnded = false
        /// A Boolean value that indicates whether the journal was written. From then on, only a recovery may remove
        /// files.
        var isDecided = false
        /// The changes of a commit that `check(commit:)` has read.
        var checked: (commit: String, changes: [TreeChange])?
        /// The identity of the checkout, once a step needed it.
        var configuration: CommitConfiguration?
    }

    private let paths: TransactionPaths
    private let git: Git
    /// The git commands that remove the worktree, which a cancelled run does not stop.
    private let cleanup: Git
    private let branch: String?
    private let base: String
    private let state = Mutex(State())
    /// The lock of the repository, held during the transaction.
    private let lock: Mutex<FileLock?>

    /// The references of the repository that affect a release.
    struct References {
        /// The hashes by their full names.
        var hashes: [String: String] = [:]
        /// The branch that is checked out.
        var current: String?
    }

    let values = TransactionValues()

    var directory: String { paths.package }

    init(
        paths: TransactionPaths, git: Git, cleanup: Git, lock: FileLock, branch: String?, base: String
    ) {
        self.paths = paths
        self.git = git
        self.cleanup = cleanup
        self.lock = Mutex(lock)
        self.branch = branch
        self.base = base
        values[Repository.self] = paths.repository
    }

    func makeWorktree() throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(paths.directory)
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
        let kept = KeptBuild(paths: paths)
        try kept.setTimes(worktree)
        try kept.restore()
    }

    /// Copies the submodules of the checkout. Fetching them would require the network and credentials, and would fail
    /// for commits that are not pushed.
    private func copySubmodules(to worktree: Git) throws(OperationFailure) {
        let modules = [paths.repository.gitDirectory, paths.repository.commonDirectory].map { "\($0)/modules" }
        guard let source = modules.first(where: isDirectory) else { return }
        let target = "\(try worktree.text(["rev-parse", "--absolute-git-dir"]))/modules"
        let run = try git.shell("cp -R \(ShellWords.quoted(source)) \(ShellWords.quoted(target))")
        guard run.report.succeeded else { throw OperationFailure(of: "cp", run) }
    }

    func plan(_ effect: TransactionEffect) {
        state.withLock { state in
            guard !state.isEnded, state.known.insert(effect).inserted else { return }
            state.effects.append(effect)
        }
    }

    func identity(in environment: [String: String]) throws(OperationFailure) -> [String: String] {
        if let known = values[CommitConfiguration.self] ?? state.withLock(\.configuration) {
            return known.variables(in: environment)
        }
        let found = try CommitConfiguration.read(.read(git), of: git, for: git.inside(paths.worktree))
        state.withLock { $0.configuration = found }
        return found.variables(in: environment)
    }

    func check(commit: String) throws(OperationFailure) {
        try CheckoutAccess(paths: paths).require(changes(to: commit))
    }

    /// Returns the files that differ between the base and a commit. Reads them once.
    private func changes(to commit: String) throws(OperationFailure) -> [TreeChange] {
        if let known = state.withLock({ $0.checked }), known.commit == commit { return known.changes }
        let changes = commit == base ? [] : try TreeChange.between(base, commit, git: git)
        state.withLock { $0.checked = (commit, changes) }
        return changes
    }

    @discardableResult
    func commit() throws(OperationFailure) -> String? {
        let effects = state.withLock(\.effects)
        guard !effects.contains(.propose) else {
            abandon()
            return nil
        }
        let (journal, settings, references) = try decide(effects)
        guard journal.movesBranch || journal.tag != nil || !journal.kept.isEmpty else {
            abandon()
            return nil
        }
        try IndexLock.take(paths)
        do throws(OperationFailure) {
            try journal.prepareIndex(at: paths, git)
            state.withLock { $0.isDecided = true }
            try journal.write(to: paths)
        } catch {
            state.withLock { $0.isDecided = false }
            IndexLock.release(paths)
            throw error
        }
        try TransactionFinish(paths: paths, journal: journal).run(cleanup)
        state.withLock { $0.isDecided = false }
        // After the release, nothing needs its build directory, even if it cannot be removed.
        try? KeptBuild(paths: paths).remove()
        end()
        return journal.summary(settings, references)
    }

    func abandon() {
        let (isEnded, isDecided) = state.withLock { ($0.isEnded, $0.isDecided) }
        guard !isEnded else { return }
        // Without it, the next attempt builds from scratch.
        if !isDecided { try? KeptBuild(paths: paths).keep() }
        end()
    }

    private func end() {
        let isDecided = state.withLock { state in
            state.isEnded = true
            return state.isDecided
        }
        // If the directory cannot be removed now, the next run removes it.
        if !isDecided { try? TransactionRecovery(paths: paths, git: cleanup).discard() }
        lock.withLock { $0 = nil }
    }

    /// Checks everything that can fail before the first change.
    ///
    /// - Returns: The journal, and the data for its summary.
    private func decide(
        _ effects: [TransactionEffect]
    ) throws(OperationFailure) -> (TransactionJournal, ReleaseSettings, References) {
        let status = try GitStatus.read(git.inside(paths.worktree), untracked: false)
        guard let new = status.head else { throw OperationFailure("the private worktree has no commit") }
        var problems: [String] = []
        if !status.changes.isEmpty {
            problems.append("changed but not committed: \(status.changes.joined(separator: ", "))")
        }
        let references = try references(effects)
        let known = values[ReleaseSettings.self]
        let settings = if let known { known } else { try ReleaseSettings.read(git) }
        if new != base {
            if branch == nil {
                problems.append(
                    "HEAD is detached, so there is no branch for the new commit\nhint: \(try git.switchToBranchAtHead())"
                )
            } else if references.current != branch {
                problems.append("the checkout was switched away from '\(shortBranch)' meanwhile")
            } else if branch.flatMap({ references.hashes[$0] }) != base {
                problems.append("'\(shortBranch)' got other commits meanwhile\nhint: run the lane again")
            }
        }
        var tag: TransactionJournal.Tag?
        var kept: [String] = []
        for effect in effects {
            switch effect {
            case .tag(let name, let message):
                if tag != nil { problems.append("a transaction can create only one tag, but '\(name)' is another one") }
                guard references.hashes["refs/tags/\(name)"] == nil else {
                    throw .refused(["the tag '\(name)' already exists"])
                }
                let object = try makeTag(name, message, on: new, settings)
                tag = .init(name: name, object: object)
            case .keep(let path):
                if fileKind("\(paths.package)/\(path)") != .file { problems.append("'\(path)' was not created") }
                kept.append(path)
            case .propose: break
            }
        }
        guard problems.isEmpty else { throw .refused(problems) }
        let changes = try changes(to: new)
        let access = CheckoutAccess(paths: paths)
        try access.require(changes, kept: kept)
        try access.requireSpace(changes, kept: kept)
        let journal = TransactionJournal(
            branch: branch, old: base, new: new, tag: tag, kept: kept, record: values.record)
        return (journal, settings, references)
    }

    /// Returns the branch, the tags to create, and other references with one of their names.
    private func references(_ effects: [TransactionEffect]) throws(OperationFailure) -> References {
        var names = [shortBranch]
        for case .tag(let name, _) in effects { names.append(name) }
        let listed = try git.run(
            ["for-each-ref", "--format=%(HEAD)%(objectname) %(refname)"]
                + names.flatMap { ["refs/heads/\($0)", "refs/tags/\($0)"] })
        var references = References()
        for line in listed.text.lines {
            let words = line.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            references.hashes[words[1]] = words[0]
            if line.first == "*" { references.current = words[1] }
        }
        return references
    }

    private var shortBranch: String { branch.map(shortName) ?? "HEAD" }

    /// Creates the tag object without a reference in the user's repository. Git signs it if the user's configuration
    /// requires that. `git tag` always creates a reference, so it runs in an empty repository that shares the objects
    /// and the configuration.
    private func makeTag(
        _ name: String, _ message: String, on commit: String, _ settings: ReleaseSettings
    ) throws(OperationFailure) -> String {
        let repository = paths.tagRepository
        let isPlain = paths.repository.objectFormat == "sha1"
        let file = """
            [core]
            \trepositoryformatversion = \(isPlain ? 0 : 1)
            [include]
            \tpath = \(quoted("\(paths.repository.commonDirectory)/config"))
            [core]
            \tbare = true
            \(isPlain ? "" : "[extensions]\n\tobjectformat = \(paths.repository.objectFormat)\n")
            """
        try convertingFileErrors { () throws(FileError) in
            try removeTree(repository)
            try makeDirectories("\(repository)/refs/tags")
            try makeDirectories("\(repository)/objects")
            try writeFile("ref: refs/heads/none\n", to: "\(repository)/HEAD")
            try writeFile(file, to: "\(repository)/config")
        }
        let variables = [
            "GIT_DIR": repository, "GIT_OBJECT_DIRECTORY": "\(paths.repository.commonDirectory)/objects",
        ]
        let inside = git.inside(paths.worktree)
        let known = values[CommitConfiguration.self]
        let configuration = if let known { known } else { try CommitConfiguration.read(settings, of: git, for: inside) }
        let worktree = configuration.applied(to: inside)
        try TagSignature.makeTag(
            name, message, on: commit, worktree, signature: settings.signature, settings: variables)
        // A repository with another reference format must be read by git.
        let written = (try? readText("\(repository)/refs/tags/\(name)"))?.lines.first
        let object =
            if let written { written } else {
                try worktree.run(["rev-parse", "refs/tags/\(name)"], settings: variables).text.lines.first ?? ""
            }
        try TagSignature.check(object, named: name, requiredBy: settings.signature, git)
        return object
    }

    private func quoted(_ path: String) -> String {
        "\"" + path.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}

/// The build directory of a release that failed, for the next attempt. The tests of a release are then built
/// incrementally. Archives are always built from scratch.
struct KeptBuild {
    let paths: TransactionPaths

    private var directory: String { "\(paths.home)/build" }
    private var build: String { "\(paths.package)/.build" }
    /// The prefix of the directories of `lane`, such as that of archives.
    private static let own = "lane-"
    /// The file with the path of the package in the private worktree.
    private static let place = "lane-place"

    /// Moves the build directory out of the private worktree.
    func keep() throws(FileError) {
        guard isDirectory(build) else { return }
        for name in try listDirectory(build) where name.hasPrefix(Self.own) { try removeTree("\(build)/\(name)") }
        try removeTree(directory)
        // A build directory contains absolute paths.
        try writeFile("\(paths.package)\n", to: "\(build)/\(Self.place)")
        try moveFile(build, to: directory)
    }

    /// Moves the build directory into the private worktree, whose files get times by their contents.
    func restore() throws(OperationFailure) {
        let place = try? readText("\(directory)/\(Self.place)")
        guard isDirectory(directory), place == "\(paths.package)\n", !fileExists(build) else { return try remove() }
        try convertingFileErrors(of: moveFile(directory, to: build))
    }

    /// Sets the times of the files in git, so that an unchanged file is up to date in a kept build directory.
    func setTimes(_ git: Git) throws(OperationFailure) {
        let files = try git.run(["ls-files", "-z", "--recurse-submodules"]).standardOutput.split(separator: 0)
            .map { "\(paths.worktree)/\(String(pathBytes: $0))" }
        try convertingFileErrors { () throws(FileError) in
            for file in files where fileKind(file) == .file { try ContentTime.set(of: file) }
        }
    }

    /// Removes the kept build directory.
    func remove() throws(OperationFailure) {
        try convertingFileErrors(of: removeTree(directory))
    }
}
