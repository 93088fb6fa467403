import LaneModel
import LaneRun

extension TransactionJournal {
    /// What is new in the repository and nowhere else yet, with the command that brings it to others; `nil` when no name
    /// has moved.
    func news(_ git: Git) -> String? {
        let branch = movesBranch ? branch.map { String($0.dropFirst("refs/heads/".count)) } : nil
        let names = [branch, tag?.name].compactMap { $0 }
        guard !names.isEmpty else { return nil }
        let commit = new.prefix(9)
        let place =
            switch (branch, tag) {
            case (let branch?, let tag?): "'\(branch)' is at \(commit) now, with the tag '\(tag.name)'"
            case (let branch?, nil): "'\(branch)' is at \(commit) now"
            case (nil, let tag): "the tag '\(tag?.name ?? "")' is on \(commit) now"
            }
        guard let remote = remote(of: branch, git) else { return place }
        let words = ["git", "push", "--atomic", remote] + names
        return place + "; nothing is pushed yet: " + words.map(ShellWords.quoted).joined(separator: " ")
    }

    /// Where the branch is pushed to; `nil` when there is no such place.
    private func remote(of branch: String?, _ git: Git) -> String? {
        func setting(_ name: String) -> String? {
            (try? git.text(["config", "--get", name])).flatMap { $0.isEmpty ? nil : $0 }
        }
        if let branch, let remote = setting("branch.\(branch).remote"), remote != "." { return remote }
        return setting("remote.origin.url") == nil ? nil : "origin"
    }
}
