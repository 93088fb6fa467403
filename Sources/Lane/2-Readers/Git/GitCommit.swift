package import OperatingSystem
import Text

/// A commit with the data for release notes.
package struct GitCommit: Sendable, Equatable {
    package let hash: String
    /// The hashes of the parents. A merge has several.
    package let parents: [String]
    /// The first line of the message.
    package let subject: String
    /// The message after the subject.
    package let body: String
    /// The hashes of the commits that a merge merged, or `nil` if the parents of all listed commits are listed.
    package var merged: Set<String>?

    /// A Boolean value that indicates whether the commit has several parents.
    package var isMerge: Bool { parents.count > 1 }

    package init(hash: String, parents: [String] = [], subject: String, body: String = "") {
        self.hash = hash
        self.parents = parents
        self.subject = subject
        self.body = body
    }
}

extension GitCommit {
    /// Creates a commit from its message. The subject is the first paragraph, but ends before a list or a note such as
    /// `BREAKING CHANGE:`, which many messages have directly below their first line.
    package init(hash: String, parents: [String] = [], message: String) {
        let lines = message.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)) }
        let start = lines.firstIndex { !$0.utf8.allSatisfy(\.isSpace) } ?? lines.endIndex
        let end =
            lines[start...].dropFirst().firstIndex { $0.utf8.allSatisfy(\.isSpace) || Self.beginsBody($0) }
            ?? lines.endIndex
        let words = lines[start..<end].map { String(Substring($0.utf8.drop(while: \.isSpace))) }
        let body = lines[end...].drop { $0.utf8.allSatisfy(\.isSpace) }
        self.init(
            hash: hash, parents: parents, subject: words.joined(separator: " "), body: body.joined(separator: "\n"))
    }

    private static func beginsBody(_ line: String) -> Bool {
        let word = line.utf8.prefix { $0.isLetter || $0 == UInt8(ascii: "-") }
        let rest = line.utf8[word.endIndex...]
        return ["* ", "- ", "+ ", "**", "#"].contains(where: line.hasPrefix)
            || String(Substring(word)).lowercased().hasPrefix("breaking") || rest.starts(with: ": ".utf8)
            || (!word.isEmpty && rest.starts(with: " #".utf8))
    }
}

extension Git {
    /// Returns the hash of HEAD.
    package func head() throws(OperationFailure) -> String {
        let answer = try attempt(["rev-parse", "--verify", "HEAD^{commit}"])
        if answer.report.stoppedBy != nil { throw OperationFailure(of: "git rev-parse", answer) }
        guard answer.report.succeeded, let head = answer.text.lines.first else {
            throw .refused(["there is no commit yet\nhint: git add -A && git commit"])
        }
        return head
    }

    /// Returns the full name of the branch that is checked out, or `nil` if HEAD is detached.
    package func currentBranch() throws(OperationFailure) -> String? {
        try attempt(["symbolic-ref", "--quiet", "HEAD"]).text.lines.first
    }

    /// Returns the hash of the object with a name, or `nil` if there is none.
    package func object(named name: String) throws(OperationFailure) -> String? {
        let answer = try attempt(["rev-parse", "--verify", "--quiet", name])
        return answer.report.succeeded ? answer.text.lines.first : nil
    }

    /// Returns a Boolean value that indicates whether the repository contains a commit.
    package func contains(commit: String) throws(OperationFailure) -> Bool {
        try attempt(["cat-file", "-e", "\(commit)^{commit}"]).report.succeeded
    }

    /// Returns a Boolean value that indicates whether a commit is an ancestor of another, or the same.
    package func isAncestor(_ commit: String, of other: String) throws(OperationFailure) -> Bool {
        try attempt(["merge-base", "--is-ancestor", commit, other]).report.succeeded
    }

    /// Returns the commits that are reachable from HEAD but not from `since`, newest first.
    ///
    /// - Parameter paths: The pathspecs of which a commit must change one. If there are none, all commits count.
    package func commits(since tag: String?, changing paths: [String] = []) throws(OperationFailure) -> [GitCommit] {
        // Before the first commit, there is no HEAD.
        if tag == nil { _ = try head() }
        let range = tag.map { "refs/tags/\($0)..HEAD" } ?? "HEAD"
        // Without `--full-history`, git follows only one parent of a merge if the paths are the same in both. The
        // arguments separate revisions and paths, because a file may have the name of a revision. `--date-order` lists
        // no parent before its children, even if the clock of a machine was wrong. The setting `log.follow` would add
        // the commits of copied files.
        let output = try run(
            [
                "log", "-z", "--no-show-signature", "--encoding=UTF-8", "--format=%H%x1f%P%x1f%B", "--full-history",
                "--date-order", "--no-follow", range, "--",
            ] + paths
        ).standardOutput
        return output.split(separator: 0).compactMap { record in
            let fields = record.split(separator: 0x1F, maxSplits: 2, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard fields.count == 3 else { return nil }
            return GitCommit(
                hash: fields[0], parents: fields[1].split(separator: " ").map(String.init), message: fields[2])
        }
    }

    /// Returns the graph of the commits after a tag.
    package func graph(since tag: String?) throws(OperationFailure) -> CommitGraph {
        let range = tag.map { "refs/tags/\($0)..HEAD" } ?? "HEAD"
        let lines = try run(["rev-list", "--topo-order", "--parents", range, "--"]).text.lines
        let words = lines.map { $0.split(separator: " ").map(String.init) }
        return CommitGraph(words.map { ($0[0], Array($0.dropFirst())) })
    }

    /// The variables that date commits and tags with `SOURCE_DATE_EPOCH`, so that several machines create the same
    /// commit. Empty without that variable, and if the user has set the dates.
    package var releaseDates: [String: String] {
        guard let seconds = self[variable: "SOURCE_DATE_EPOCH"], !seconds.isEmpty else { return [:] }
        let names = ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].filter { self[variable: $0] == nil }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, "@\(seconds) +0000") })
    }

    /// Returns the time of HEAD in seconds since 1970, or `nil` outside a repository and before the first commit.
    package func commitTime() throws(OperationFailure) -> Int64? {
        let run = try attempt(["log", "-1", "--no-show-signature", "--format=%ct"])
        return run.report.succeeded ? Int64(run.text.split(separator: "\n").first ?? "") : nil
    }
}

/// The parents of commits, which tell what a merge has merged.
package struct CommitGraph: Sendable {
    private let hashes: [String]
    private let positions: [String: Int]
    /// The positions of the parents that are in the graph.
    private let parents: [[Int]]

    /// - Parameter commits: Commits with the hashes of their parents, each before its parents. Other parents are ignored.
    package init(_ commits: [(hash: String, parents: [String])]) {
        hashes = commits.map(\.hash)
        let positions = Dictionary(zip(hashes, hashes.indices)) { one, _ in one }
        self.positions = positions
        parents = commits.map { $0.parents.compactMap { positions[$0] } }
    }

    /// Returns the hashes of the commits that a merge has merged: those that its first parent does not reach.
    ///
    /// It reads the commits down to the one where the branches part, so the merges of a long history take little time.
    ///
    /// - Parameters:
    ///   - first: The hash of the first parent.
    ///   - others: The hashes of the other parents.
    package func merged(into first: String?, from others: some Sequence<String>) -> Set<String> {
        // The reached commits, and whether the first parent reaches them.
        var reached: [Int: Bool] = [:]
        var merged: Set<String> = []
        var openCount = 0
        func reach(_ position: Int, isMain: Bool) {
            let before = reached.updateValue(isMain || reached[position] == true, forKey: position)
            if before == nil, !isMain { openCount += 1 }
            if before == false, isMain { openCount -= 1 }
        }
        if let first = first.flatMap({ positions[$0] }) { reach(first, isMain: true) }
        for other in others { if let other = positions[other] { reach(other, isMain: false) } }
        var position = reached.keys.min() ?? hashes.count
        while openCount > 0, position < hashes.count {
            if let isMain = reached.removeValue(forKey: position) {
                if !isMain {
                    openCount -= 1
                    merged.insert(hashes[position])
                }
                for parent in parents[position] where parent > position { reach(parent, isMain: isMain) }
            }
            position += 1
        }
        return merged
    }
}
