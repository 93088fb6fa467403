import Git
import LaneModel

extension TransactionJournal {
    /// Returns a sentence with the new references and the command that pushes them, or `nil` if no reference has moved.
    func summary(_ settings: ReleaseSettings, _ references: GitTransaction.References) -> String? {
        let branch = movesBranch ? shortBranch : nil
        let names = [branch, tag?.name].compactMap { $0 }
        guard !names.isEmpty else { return nil }
        let commit = new.prefix(9)
        let state =
            switch (branch, tag) {
            case (let branch?, let tag?): "'\(branch)' is at \(commit) now, with the tag '\(tag.name)'"
            case (let branch?, nil): "'\(branch)' is at \(commit) now"
            case (nil, let tag): "the tag '\(tag?.name ?? "")' is on \(commit) now"
            }
        guard let remote = settings.remote(of: branch) else { return state }
        let words = ["git", "push", "--atomic", remote] + self.names(references)
        return state + "; nothing is pushed yet: " + words.map(ShellWords.quoted).joined(separator: " ")
    }

    /// Returns the names to push. They are full names if a branch and a tag have the same name.
    private func names(_ references: GitTransaction.References) -> [String] {
        let full = [movesBranch ? branch : nil, tag.map { "refs/tags/\($0.name)" }].compactMap { $0 }
        return full.map { name in
            let isTag = name.hasPrefix("refs/tags/")
            let short = String(name.dropFirst(isTag ? "refs/tags/".count : "refs/heads/".count))
            let twin = (isTag ? "refs/heads/" : "refs/tags/") + short
            return references.hashes[twin] != nil || full.contains(twin) ? name : short
        }
    }

    /// The name of the branch without `refs/heads/`.
    var shortBranch: String? { branch.map { String($0.dropFirst("refs/heads/".count)) } }
}
