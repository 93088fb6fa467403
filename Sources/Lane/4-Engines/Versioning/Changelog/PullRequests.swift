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
        let graph = CommitGraph(commits.map { ($0.hash, $0.parents) })
        var dropped: Set<Int> = []
        for index in merges where !dropped.contains(index) {
            let merge = merge(commits[index], in: graph)
            let inner = (merge.merged ?? []).compactMap { numbers[$0] }
            let isBreaking = CommitEntry(merge)?.isBreaking ?? false
            dropped.formUnion(inner.filter { isBreaking || CommitEntry(commits[$0])?.isBreaking != true })
        }
        return commits.indices.filter { !dropped.contains($0) }.map { commits[$0] }
    }

    /// Returns a merge with the commits that it merged, unless they are known.
    static func merge(_ commit: GitCommit, in graph: CommitGraph) -> GitCommit {
        guard commit.merged == nil else { return commit }
        var commit = commit
        commit.merged = graph.merged(into: commit.parents.first, from: commit.parents.dropFirst())
        return commit
    }
}
