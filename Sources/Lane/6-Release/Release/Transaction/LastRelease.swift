package import Actions
import Git
package import OperatingSystem
package import Text
import Versioning

/// The last release that was created in a checkout.
package struct LastRelease: Sendable {
    /// The record of its steps.
    package let record: TransactionRecord
    /// The version of its tag.
    package let version: SemanticVersion?
    /// A Boolean value that indicates whether HEAD is the commit of the release or a descendant.
    package let isReachable: Bool
    /// A Boolean value that indicates whether HEAD is a rebased copy of the commit of the release.
    package let isRebased: Bool
}

extension GitTransactionSource {
    /// Returns the last release of this repository, unless its tag was removed or moved.
    package static func lastRelease(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) -> LastRelease? {
        let git = Git(in: root, environment: environment, processes: processes)
        guard let path = journalPath(root: root, git), let journal = TransactionJournal.readLast(at: path),
            let record = journal.record, let state = try? ReleaseState.find(of: journal, git),
            state == .reachable || state == .rebased
        else { return nil }
        return LastRelease(
            record: record, version: journal.tag.flatMap { ReleaseTag($0.name)?.version },
            isReachable: state == .reachable, isRebased: state == .rebased)
    }

    /// Returns a Boolean value that indicates whether no remote has the last release. Returns `false` if this is unknown,
    /// or if there is no remote.
    package static func isLastReleaseUnpushed(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) -> Bool {
        let git = Git(in: root, environment: environment, processes: processes)
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
    private static func journalPath(root: String, _ git: Git) -> String? {
        guard let entry = gitEntry(above: root) else { return nil }
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
    package static func abort(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) throws(OperationFailure) -> String? {
        let git = Git(in: root, environment: environment, processes: processes)
        let paths = TransactionPaths(repository: try .find(git))
        guard fileExists(paths.home) else { return nil }
        let lock = try take(paths)
        defer { withExtendedLifetime(lock) {} }
        try KeptBuild(paths: paths).remove()
        let outcome = try TransactionRecovery(paths: paths, git: git).run()
        if case .dropped = outcome { return outcome.text }
        guard let journal = TransactionJournal.readLast(at: paths.lastJournal) else { return outcome.text }
        let done = try ReleaseReversal(paths: paths, git: git, journal: journal).run()
        return [outcome.text, done].compactMap { $0 }.joined(separator: "\n")
    }

    /// Returns a description of a killed transaction, or `nil` if there is none or another process holds the lock.
    package static func interruptedRelease(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) -> String? {
        let git = Git(in: root, environment: environment, processes: processes)
        guard needsRecovery(root: root), let repository = try? Repository.find(git) else { return nil }
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
