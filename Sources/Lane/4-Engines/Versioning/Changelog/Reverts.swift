import Git
import Text

/// A filter for reverted commits.
enum Reverts {
    /// Returns the commits that are neither reverted nor reverts, newest first.
    ///
    /// A revert of a revert restores the original commit.
    static func remaining(of commits: [GitCommit]) -> [GitCommit] {
        var cancelled: Set<Int> = []
        for index in commits.indices where !cancelled.contains(index) {
            guard let revert = Revert(commits[index]) else { continue }
            let targets = revert.targets(in: commits, after: index, without: cancelled)
            guard !targets.isEmpty else { continue }
            cancelled.formUnion(targets)
            cancelled.insert(index)
        }
        return commits.indices.filter { !cancelled.contains($0) }.map { commits[$0] }
    }
}

/// A revert: `revert: feat: corners`, or `Revert "feat: corners"` as git writes it.
private struct Revert {
    /// The subject of the reverted commit.
    private let subject: String
    /// The hashes or abbreviated hashes in the message.
    private let hashes: [String]
    /// The parent to which a reverted merge returns.
    private let mainline: String?

    init?(_ commit: GitCommit) {
        if let conventional = ConventionalSubject(commit.subject), conventional.type == "revert" {
            subject = conventional.description
        } else if let quoted = Self.quoted(commit.subject) {
            subject = quoted
        } else {
            return nil
        }
        let marks = ["This reverts commit", "Refs:", "changes made to"]
        let marked = commit.body.lines.filter { line in marks.contains(where: line.hasPrefix) }
        let words = marked.flatMap { line in line.utf8.split { !$0.isIdentifierContinuation } }
        let named = words.filter { $0.count >= 7 && $0.allSatisfy(\.isHexDigit) }
            .map { String(Substring($0)).lowercased() }
        let isMerge = commit.body.range(of: "reversing") != nil && named.count == 2
        hashes = isMerge ? [named[0]] : named
        mainline = isMerge ? named[1] : nil
    }

    /// Returns the subject in `Revert "…"` or `Revert "…" (#12)`. `Reapply "…"` reverts a revert.
    private static func quoted(_ subject: String) -> String? {
        guard let open = subject.utf8.firstIndex(of: UInt8(ascii: "\"")),
            let close = subject.utf8.lastIndex(of: UInt8(ascii: "\"")), open < close
        else { return nil }
        let text = String(Substring(subject.utf8[open..<close].dropFirst()))
        switch subject[..<open] {
        case "Revert ": return text
        case "Reapply ": return "Revert \"\(text)\""
        default: return nil
        }
    }

    /// Returns the indices of the reverted commits: those named by hash, or the last older commit with the subject.
    func targets(in commits: [GitCommit], after index: Int, without cancelled: Set<Int>) -> Set<Int> {
        let older = commits.indices.dropFirst(index + 1)
        let named = older.filter { index in hashes.contains { commits[index].hash.hasPrefix($0) } }
        if let mainline, let merge = named.first { return merged(by: merge, into: mainline, commits) }
        if !named.isEmpty { return Set(named) }
        // A rebase changes the hashes.
        let alike = older.filter { commits[$0].subject == subject }
        let target = alike.first { !cancelled.contains($0) } ?? alike.first
        return Set(target.map { [$0] } ?? [])
    }

    /// Returns the indices of a merge and of the commits that it merged.
    private func merged(by merge: Int, into mainline: String, _ commits: [GitCommit]) -> Set<Int> {
        let indices = Dictionary(commits.indices.map { (commits[$0].hash, $0) }) { one, _ in one }
        func reachable(from hashes: [String]) -> Set<Int> {
            var found: Set<Int> = []
            var waiting = hashes
            while let hash = waiting.popLast() {
                guard let index = indices[hash], found.insert(index).inserted else { continue }
                waiting += commits[index].parents
            }
            return found
        }
        let main = commits[merge].parents.filter { $0.hasPrefix(mainline) }
        let others = commits[merge].parents.filter { !$0.hasPrefix(mainline) }
        return reachable(from: others).subtracting(reachable(from: main)).union([merge])
    }
}
