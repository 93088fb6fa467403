package import LaneRun
package import Processes

import Files

/// The last release that was made in a checkout, and what can be done with it.
package struct LastRelease: Sendable {
    /// The steps that made it.
    package let record: TransactionRecord
    /// The version in its tag.
    package let version: SemanticVersion?
    /// A Boolean value that indicates whether HEAD comes from its commit.
    package let isReachable: Bool
    /// A Boolean value that indicates whether HEAD is a copy of its commit, as a rebase makes it.
    package let isRebased: Bool
}

extension GitTransactionSource {
    /// Finds the last release that was made in this repository, as far as it still is there.
    package static func lastRelease(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) -> LastRelease? {
        let git = Git(in: root, environment: environment, processes: processes)
        guard let repository = try? Repository.find(git),
            let journal = TransactionJournal.readReal(from: TransactionPlace(repository: repository)),
            let record = journal.record, let standing = try? ReleaseStanding.find(of: journal, git),
            standing == .reachable || standing == .rebased
        else { return nil }
        return LastRelease(
            record: record, version: journal.tag.flatMap { ReleaseTag($0.name)?.version },
            isReachable: standing == .reachable, isRebased: standing == .rebased)
    }

    /// Removes what an interrupted run left; where nothing is left, takes back the last release, if it is not pushed.
    ///
    /// - Returns: What it did, for a person; `nil` when there was nothing to do.
    package static func abort(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) throws(StepFailure) -> String? {
        let git = Git(in: root, environment: environment, processes: processes)
        let place = TransactionPlace(repository: try .find(git))
        guard fileExists(place.home) else { return nil }
        let lock = try take(place)
        defer { withExtendedLifetime(lock) {} }
        let outcome = try TransactionRecovery(place: place, git: git).run()
        if case .dropped = outcome { return outcome.text }
        guard let journal = TransactionJournal.readReal(from: place) else { return outcome.text }
        let done = try ReleaseReversal(place: place, git: git, journal: journal).run()
        return [outcome.text, done].compactMap { $0 }.joined(separator: "\n")
    }

    /// Returns what an interrupted run left in the repository; `nil` when nothing is left, or a run is at work.
    package static func leftover(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) -> String? {
        let git = Git(in: root, environment: environment, processes: processes)
        guard needsRecovery(root: root), let repository = try? Repository.find(git) else { return nil }
        let place = TransactionPlace(repository: repository)
        guard fileExists(place.home), let lock = try? TransactionLock(home: place.home) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        guard fileExists(place.folder) else {
            let names = (try? listDirectory(place.home)) ?? []
            let folder = names.first { $0.hasPrefix(TransactionPlace.discarded) }
            return folder.map { "'\(place.home)/\($0)' is left of an interrupted run" }
        }
        let recovery = TransactionRecovery(place: place, git: git)
        guard let journal = try? TransactionJournal.read(from: place), (try? recovery.hasBegun(journal)) == true else {
            return "'\(place.folder)' is left of an interrupted run, which has changed nothing"
        }
        return "the \(journal.title) was interrupted and is not all in place"
    }
}
