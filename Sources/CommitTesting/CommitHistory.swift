package import Bisection
package import Git
package import LaneRun

import Processes
import Text

/// A commit with its author, date and subject.
package struct ListedCommit: Sendable, Equatable {
    package let hash: String
    package let parents: [String]
    package let author: String
    /// The date of the author, such as `2026-11-21`.
    package let date: String
    /// The first line of the message.
    package let subject: String

    /// The first digits of the hash.
    package var shortHash: String { String(hash.prefix(10)) }
}

/// The commits between two commits.
package struct CommitHistory: Sendable, Equatable {
    package let good: ListedCommit
    /// The commits that the bad commit contains and the good commit does not, parents first. The last one is the bad
    /// commit.
    package let commits: [ListedCommit]

    package var searched: [SearchedCommit] { commits.map { SearchedCommit(hash: $0.hash, parents: $0.parents) } }

    /// Reads the commits between two revisions.
    package static func read(good: String, bad: String, _ git: Git) throws(StepFailure) -> CommitHistory {
        let (goodHash, badHash) = (git.hash(of: good), git.hash(of: bad))
        let unknown = [(good, goodHash), (bad, badHash)].filter { $0.1 == nil }.map { "there is no commit '\($0.0)'" }
        guard let goodHash, let badHash else { throw .refused(unknown) }
        guard goodHash != badHash else {
            throw .refused(["'\(good)' and '\(bad)' are the same commit, \(goodHash.prefix(10))"])
        }
        guard try git.attempt(["merge-base", "--is-ancestor", goodHash, badHash]).report.succeeded else {
            let base = try git.attempt(["merge-base", goodHash, badHash]).text.lines.first
            let hint = base.map { "\nhint: use their common ancestor, --good \($0.prefix(10))" } ?? ""
            throw .refused(["'\(bad)' does not contain the good commit '\(good)'\(hint)"])
        }
        let commits = try git.listedCommits(["--topo-order", "--reverse", badHash, "^\(goodHash)"])
        guard let first = try git.listedCommits(["-1", goodHash]).first, commits.last?.hash == badHash else {
            throw .refused(["the commits between '\(good)' and '\(bad)' cannot be read"])
        }
        return CommitHistory(good: first, commits: commits)
    }

    /// Returns the commit with a hash.
    package func commit(_ hash: String) -> ListedCommit? {
        good.hash == hash ? good : commits.first { $0.hash == hash }
    }
}

extension Git {
    /// Returns the hash of the commit that a revision names. Throws an error if there is none.
    package func commit(_ revision: String) throws(StepFailure) -> String {
        guard let hash = hash(of: revision) else { throw .refused(["there is no commit '\(revision)'"]) }
        return hash
    }

    /// Returns the hash of the commit that a revision names, or `nil` if there is none.
    fileprivate func hash(of revision: String) -> String? {
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}"]
        guard let run = try? attempt(words), run.report.succeeded else { return nil }
        return run.text.lines.first
    }

    fileprivate func listedCommits(_ range: [String]) throws(StepFailure) -> [ListedCommit] {
        let format = ["-z", "--no-show-signature", "--encoding=UTF-8", "--date=short"]
        let fields = "--format=%H%x1f%P%x1f%an%x1f%ad%x1f%s"
        return try run(["log"] + format + [fields] + range + ["--"]).standardOutput.split(separator: 0).compactMap {
            let fields = $0.split(separator: 0x1F, maxSplits: 4, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard fields.count == 5 else { return nil }
            return ListedCommit(
                hash: fields[0], parents: fields[1].split(separator: " ").map(String.init), author: fields[2],
                date: fields[3], subject: fields[4])
        }
    }
}
