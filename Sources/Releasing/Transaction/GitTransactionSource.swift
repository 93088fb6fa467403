package import LaneRun
package import Processes

import Diagnostics
import Files

/// Begins transactions in git repositories.
///
/// How it stays all or nothing, at whatever instant it is killed:
///
/// 1. The steps work in a private worktree with a detached HEAD. Commits and the tag object are made there; no name in
///    the repository points to them, so nobody sees them.
/// 2. `commit` checks everything that could still go wrong, takes the lock of the checkout's index, and writes a journal
///    of what is to be done. Killed before the journal is there: nothing has happened.
/// 3. One child that needs `lane` no more then moves branch and tag with one `git update-ref` transaction, brings the
///    checkout's files and index to the new commit, and moves finished files into place. `lane` may be killed meanwhile;
///    the child goes on.
/// 4. If the whole machine stops in the middle of that, the next `lane` finds the journal: when none of the names has
///    moved it drops everything, else it finishes what is left. Each part can be done twice.
///
/// Names come first and files second, because a name is where a release becomes real: whoever sees the tag can have the
/// commit, and the checkout's files can be made from it at any time. The other way round the files would be of a release
/// that may never be.
package struct GitTransactionSource: TransactionSource {
    package init() {}

    /// Takes the repository's lock, finishes or drops what a killed run left, and makes the worktree.
    package func begin(
        root: String, environment: [String: String], processes: any ProcessRunner, cleanup: any ProcessRunner
    ) throws(StepFailure) -> any Transaction {
        let git = Git(in: root, environment: environment, processes: processes)
        let place = TransactionPlace(repository: try .find(git))
        let lock = try Self.take(place)
        try TransactionRecovery(place: place, git: git).run()
        let head = try git.head()
        let symbolic = try git.attempt(["symbolic-ref", "--quiet", "HEAD"])
        let branch = symbolic.report.succeeded ? symbolic.text.lines.first : nil
        let transaction = GitTransaction(
            place: place, git: git, tidying: Git(in: root, environment: environment, processes: cleanup), lock: lock,
            branch: branch, base: head)
        do throws(StepFailure) {
            try transaction.makeWorktree()
        } catch {
            transaction.abandon()
            throw error
        }
        return transaction
    }

    /// Returns true where an interrupted `lane` may have left something in this repository that `recover` should see to;
    /// asks the file system only, so any command can afford to ask.
    package static func needsRecovery(root: String) -> Bool {
        var folder = root
        while true {
            switch fileKind("\(folder)/.git") {
            case .directory?:
                let names = (try? listDirectory("\(folder)/.git/lane")) ?? []
                return names.contains { $0 == "transaction" || $0.hasPrefix(TransactionPlace.discarded) }
            // A linked worktree or a submodule; to find its git folder takes git.
            case .file?, .link?: return true
            case .other?, nil:
                if folder == "/" || folder == "." { return false }
                folder = parentDirectory(folder)
            }
        }
    }

    /// Finishes or removes what an interrupted `lane` left. Does nothing while another one is at work.
    ///
    /// - Returns: What it did, for a person; `nil` when there was nothing to do.
    package static func recover(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) throws(StepFailure) -> String? {
        let git = Git(in: root, environment: environment, processes: processes)
        guard let repository = try? Repository.find(git) else { return nil }
        let place = TransactionPlace(repository: repository)
        guard fileExists(place.home), let lock = try TransactionLock(home: place.home) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        return try TransactionRecovery(place: place, git: git).run().text
    }

    static func take(_ place: TransactionPlace) throws(StepFailure) -> TransactionLock {
        guard let lock = try TransactionLock(home: place.home) else {
            throw .refused(["another release is running in this repository"])
        }
        return lock
    }
}
