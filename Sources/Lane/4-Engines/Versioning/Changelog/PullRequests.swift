import Git
import Text

extension GitCommit {
    /// The beginnings of merge subjects. A rebase or squash may have removed the second parent.
    private static let merges = [
        "Merge branch '", "Merge branches '", "Merge remote-tracking branch '", "Merge remote-tracking branches '",
        "Merge tag '", "Merge commit '", "Merge pull request #", "Merged in ",
    ]

    /// A Boolean value that indicates whether the subject is the one that git or a forge writes for a merge.
    var hasMergeSubject: Bool { Self.merges.contains(where: subject.hasPrefix) }

    /// The title of a merged pull request: the subject, or the first line of the body below a subject such as
    /// `Merge pull request #12 from ada/topic`.
    var title: String {
        guard hasMergeSubject else { return subject }
        return body.lines.first { !$0.utf8.allSatisfy(\.isSpace) } ?? subject
    }

    /// A Boolean value that indicates whether the commit is a merge whose title describes its change.
    var isTitledMerge: Bool { isMerge && ConventionalSubject(title) != nil }
}

/// A filter for commits that the title of their merge describes.
enum PullRequests {
    /// Returns the commits without those that a merge with a conventional title has merged. A breaking change in them
    /// remains, unless the title is breaking, too.
    static func collapsed(_ commits: [GitCommit]) -> [GitCommit] {
        let merges = commits.indices.filter { commits[$0].isTitledMerge }
        guard !merges.isEmpty else { return commits }
        let numbers = Dictionary(commits.indices.map { (commits[$0].hash, $0) }) { one, _ in one }
        let parents = commits.map { commit in commit.parents.map { numbers[$0] } }
        var dropped: Set<Int> = []
        for merge in merges where !dropped.contains(merge) {
            let main = reachable(from: Array(parents[merge].prefix(1)), parents)
            let inner = reachable(from: Array(parents[merge].dropFirst()), parents).subtracting(main)
            let isBreaking = CommitEntry(commits[merge])?.isBreaking ?? false
            dropped.formUnion(inner.filter { isBreaking || CommitEntry(commits[$0])?.isBreaking != true })
        }
        return commits.indices.filter { !dropped.contains($0) }.map { commits[$0] }
    }

    private static func reachable(from starts: [Int?], _ parents: [[Int?]]) -> Set<Int> {
        var found: Set<Int> = []
        var waiting = starts.compactMap { $0 }
        while let next = waiting.popLast() {
            guard found.insert(next).inserted else { continue }
            waiting += parents[next].compactMap { $0 }
        }
        return found
    }
}
