package import Actions
package import Git
package import OperatingSystem
import Text
import Versioning

extension GitTransactionSource {
    /// Returns the last release of this repository, unless its tag was removed or moved.
    package func lastRelease(_ git: Git) -> LastRelease? {
        guard let path = Self.journalPath(git), let journal = TransactionJournal.readLast(at: path),
            let record = journal.record, let state = try? ReleaseState.find(of: journal, git),
            state == .reachable || state == .rebased
        else { return nil }
        return LastRelease(
            record: record, version: journal.tag.flatMap { ReleaseTag($0.name)?.version }, isRebased: state == .rebased)
    }

    /// Returns a Boolean value that indicates whether no remote has the last release. Returns `false` if this is unknown,
    /// or if there is no remote.
    package func isLastReleaseUnpushed(_ git: Git) -> Bool {
        guard let repository = try? Repository.find(git), (try? git.text(["remote"]))?.isEmpty == false else {
            return false
        }
        let paths = TransactionPaths(repository: repository)
        guard let journal = TransactionJournal.readLast(at: paths.lastJournal), journal.tag != nil,
            let answers = try? PushedRelease(git: git, paths: paths, journal: journal).find()
        else { return false }
        return answers.remote == nil && answers.unknown.isEmpty
    }

    /// Returns the path of the last release's journal. Does not run git if the path is clear without it.
    private static func journalPath(_ git: Git) -> String? {
        guard let entry = gitEntry(above: git.directory) else { return nil }
        if fileKind(entry) == .directory { return "\(entry)/lane/\(TransactionPaths.released)" }
        return (try? Repository.find(git)).map { TransactionPaths(repository: $0).lastJournal }
    }

    /// Returns the tag of the last release in this checkout, or `nil` if HEAD is not a descendant of it.
    static func lastTag(_ git: Git) throws(OperationFailure) -> String? {
        guard let journal = TransactionJournal.readLast(at: TransactionPaths(repository: try .find(git)).lastJournal),
            try ReleaseState.find(of: journal, git) == .reachable
        else { return nil }
        return journal.tag?.name
    }

    /// Discards a killed transaction. If there is none, undoes the last release. Throws an error if the release is
    /// pushed.
    ///
    /// - Returns: A description of the changes, or `nil` if there was nothing to do.
    package func abort(_ git: Git) throws(OperationFailure) -> String? {
        let paths = TransactionPaths(repository: try .find(git))
        guard fileExists(paths.home) else { return nil }
        let lock = try Self.take(paths)
        defer { withExtendedLifetime(lock) {} }
        try KeptBuild(paths: paths).remove()
        let outcome = try TransactionRecovery(paths: paths, git: git).run()
        if case .dropped = outcome { return outcome.text }
        guard let journal = TransactionJournal.readLast(at: paths.lastJournal) else { return outcome.text }
        let done = try ReleaseReversal(paths: paths, git: git, journal: journal).run()
        return [outcome.text, done].compactMap { $0 }.joined(separator: "\n")
    }

    /// Returns a description of a killed transaction, or `nil` if there is none or another process holds the lock.
    package func interruptedRelease(_ git: Git) -> String? {
        guard needsRecovery(root: git.directory), let repository = try? Repository.find(git) else { return nil }
        let paths = TransactionPaths(repository: repository)
        guard fileExists(paths.home), let lock = try? paths.lock() else { return nil }
        defer { withExtendedLifetime(lock) {} }
        guard fileExists(paths.directory) else {
            let names = (try? listDirectory(paths.home)) ?? []
            let discarded = names.first { $0.hasPrefix(TransactionPaths.discarded) }
            return discarded.map { "'\(paths.home)/\($0)' remains of an interrupted run" }
        }
        let recovery = TransactionRecovery(paths: paths, git: git)
        guard let journal = try? TransactionJournal.read(from: paths), (try? recovery.hasBegun(journal)) == true else {
            return "'\(paths.directory)' remains of an interrupted run, which has changed nothing"
        }
        return "the \(journal.title) was interrupted and is incomplete"
    }
}

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
        let branch = journal.branch.map { "'\(shortName($0))'" } ?? "HEAD"
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
        let head = try git.currentBranch()
        guard journal.movesBranch, let branch = journal.branch else { return reversal(branch: nil, from: "", to: "") }
        guard head == branch else {
            let name = shortName(branch)
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
            guard try git.object(named: name) == tag.object else { return .gone }
        }
        if try git.isAncestor(journal.new, of: "HEAD") { return .reachable }
        let format = "--format=%an%n%ae%n%at%n%s"
        let own = try git.attempt(["log", "-1", "--no-show-signature", format, journal.new, "--"])
        let tip = try git.attempt(["log", "-1", "--no-show-signature", format, "HEAD", "--"])
        return own.report.succeeded && own.text == tip.text ? .rebased : .elsewhere
    }
}

/// The search for a release on the remotes of its repository.
struct PushedRelease {
    let git: Git
    let paths: TransactionPaths
    let journal: TransactionJournal

    /// The result of asking all remotes.
    struct Answers {
        /// The first remote that has the tag or the commit of the release.
        var remote: String?
        /// The reasons why remotes could not be asked.
        var unknown: [String] = []
    }

    func find() throws(OperationFailure) -> Answers {
        var answers = Answers()
        let objects = [journal.tag?.object, journal.movesBranch ? journal.new : nil].compactMap { $0 }
        guard !objects.isEmpty else { return answers }
        for (name, address) in try remotes() where answers.remote == nil {
            // Other tags of the same name are not the release.
            let patterns = ["refs/heads/*"] + (journal.tag.map { ["refs/tags/\($0.name)"] } ?? [])
            let result = try git.attempt(["ls-remote", "--", address] + patterns)
            if result.report.stoppedBy != nil { throw OperationFailure(of: "git ls-remote", result) }
            if !result.report.succeeded {
                let reason = result.errorText.lines.first ?? "status \(result.report.status)"
                answers.unknown.append("it is unknown whether '\(name)' has the \(journal.title): \(reason)")
            } else if result.text.lines.contains(where: { line in objects.contains { line.hasPrefix($0) } }) {
                answers.remote = name
            }
        }
        if answers.remote == nil, journal.movesBranch {
            // The remote may have later commits.
            let format = "--format=%(refname:lstrip=2)"
            let known = try git.attempt(["for-each-ref", "--contains=\(journal.new)", format, "refs/remotes"])
            answers.remote = known.text.lines.first
        }
        return answers
    }

    /// The names and addresses of all remotes, including their addresses for pushes, addresses in the configuration of
    /// branches, and remotes to which `publish` has pushed.
    private func remotes() throws(OperationFailure) -> [(name: String, address: String)] {
        var remotes: [(name: String, address: String)] = []
        var fetched: [String: String] = [:]
        for line in try git.text(["remote", "-v"]).lines {
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            guard parts.count == 2, let end = parts[1].range(of: " (fetch)") ?? parts[1].range(of: " (push)") else {
                continue
            }
            let (name, address) = (parts[0], String(parts[1][..<end.lowerBound]))
            if parts[1].range(of: " (fetch)") != nil, fetched[name] == nil {
                fetched[name] = address
                remotes.append((name, name))
            } else if fetched[name] != address {
                remotes.append((name, address))
            }
        }
        let others = try ReleaseSettings.read(git).remotes + PushRecord.remotes(of: journal, at: paths)
        for other in Set(others).sorted() where fetched[other] == nil { remotes.append((other, other)) }
        return remotes
    }
}

/// The record of the remotes to which the last release was pushed. It is written before the push.
enum PushRecord {
    /// Adds a remote to which a tag is pushed.
    ///
    /// - Parameter object: The hash of the tag object.
    static func add(_ remote: String, object: String, _ git: Git) throws(OperationFailure) {
        let path = TransactionPaths(repository: try .find(git)).pushes
        let line = "\(object) \(remote)"
        let known = ((try? readText(path))?.lines ?? []).filter { $0.hasPrefix("\(object) ") && $0 != line }
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(parentDirectory(path))
            try writeFile((known + [line]).map { "\($0)\n" }.joined(), to: path)
        }
    }

    fileprivate static func remotes(of journal: TransactionJournal, at paths: TransactionPaths) -> [String] {
        guard let tag = journal.tag, let lines = (try? readText(paths.pushes))?.lines else { return [] }
        return lines.filter { $0.hasPrefix("\(tag.object) ") }.map { String($0.dropFirst(tag.object.count + 1)) }
    }
}
