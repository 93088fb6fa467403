import Git
import LaneModel
import LaneRun
import Processes

extension TransactionJournal {
    /// Returns the new references with the command to push them, or `nil` if none has moved.
    func summary(_ git: Git) -> String? {
        let branch = movesBranch ? branch.map { String($0.dropFirst("refs/heads/".count)) } : nil
        let names = [branch, tag?.name].compactMap { $0 }
        guard !names.isEmpty else { return nil }
        let commit = new.prefix(9)
        let state =
            switch (branch, tag) {
            case (let branch?, let tag?): "'\(branch)' is at \(commit) now, with the tag '\(tag.name)'"
            case (let branch?, nil): "'\(branch)' is at \(commit) now"
            case (nil, let tag): "the tag '\(tag?.name ?? "")' is on \(commit) now"
            }
        guard let remote = remote(of: branch, git) else { return state }
        let words = ["git", "push", "--atomic", remote] + self.names(git)
        return state + "; nothing is pushed yet: " + words.map(ShellWords.quoted).joined(separator: " ")
    }

    /// Returns the names for `git push`: full names if a branch and a tag have the same name.
    private func names(_ git: Git) -> [String] {
        let full = [movesBranch ? branch : nil, tag.map { "refs/tags/\($0.name)" }].compactMap { $0 }
        return full.map { name in
            let isTag = name.hasPrefix("refs/tags/")
            let short = String(name.dropFirst(isTag ? "refs/tags/".count : "refs/heads/".count))
            let twin = (isTag ? "refs/heads/" : "refs/tags/") + short
            let hasTwin = (try? git.attempt(["rev-parse", "--verify", "--quiet", twin]))?.report.succeeded == true
            return hasTwin ? name : short
        }
    }

    /// The remote that the branch is pushed to, or `nil` if there is none.
    func remote(_ git: Git) -> String? { remote(of: branch.map { String($0.dropFirst("refs/heads/".count)) }, git) }

    private func remote(of branch: String?, _ git: Git) -> String? {
        func setting(_ name: String) -> String? {
            (try? git.text(["config", "--get", name])).flatMap { $0.isEmpty ? nil : $0 }
        }
        if let branch, let remote = setting("branch.\(branch).remote"), remote != "." { return remote }
        return setting("remote.origin.url") == nil ? nil : "origin"
    }
}
