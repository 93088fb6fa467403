import Actions
import Archives
import Git
import LaneModel
import OperatingSystem
import Text

/// The changes of a transaction. The journal contains all data that another process needs to complete them.
struct TransactionJournal: Sendable, Equatable {
    struct Tag: Sendable, Equatable {
        let name: String
        /// The hash of the tag object, which has no reference yet.
        let object: String
    }

    /// The full name of the branch to move, such as `refs/heads/main`, or `nil` if no branch moves.
    let branch: String?
    let old: String
    let new: String
    let tag: Tag?
    /// The files to move from the private worktree to the same relative paths in the user's package.
    let kept: [String]
    /// The record of the steps, for `--resume`.
    var record: TransactionRecord?
    /// A Boolean value that indicates whether the journal undoes a release.
    var isReversal = false

    var movesBranch: Bool { branch != nil && old != new }

    /// A title such as `release '0.2.0'`.
    var title: String { tag.map { "release '\($0.name)'" } ?? "transaction" }

    /// The input of `git update-ref --stdin`. Git updates all references together, and only if none of them has
    /// changed.
    var refUpdates: String {
        var lines = ["start"]
        if let tag { lines.append("\(isReversal ? "delete" : "create") refs/tags/\(tag.name) \(tag.object)") }
        if movesBranch, let branch { lines.append("update \(branch) \(new) \(old)") }
        return (lines + ["prepare", "commit"]).map { $0 + "\n" }.joined()
    }

    func write(to paths: TransactionPaths) throws(OperationFailure) {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            if let branch { writer.member("branch", branch) }
            writer.member("old", old)
            writer.member("new", new)
            if let tag {
                writer.member("tag", tag.name)
                writer.member("object", tag.object)
            }
            writer.member("kept", kept)
            if isReversal { writer.member("isReversal", true) }
            if let record { record.write(to: &writer) }
        }
        let text = writer.text
        // The machine may stop at any time, so the journal must be on disk before the references move.
        try convertingArchiveErrors { () throws(ArchiveError) in
            try HashedOutputFile.write(Array(refUpdates.utf8), to: paths.refs)
            try HashedOutputFile.write(Array(text.utf8), to: paths.journal)
        }
    }

    /// Returns the journal of the open transaction, or `nil` if there is none.
    static func read(from paths: TransactionPaths) throws(OperationFailure) -> TransactionJournal? {
        guard fileExists(paths.journal) else { return nil }
        let bytes = try convertingFileErrors(of: readFile(paths.journal))
        guard let journal = TransactionJournal(bytes) else {
            throw OperationFailure(
                "'\(paths.journal)' is damaged, so it is unknown whether the interrupted release exists\n"
                    + "hint: look for its tag and commit, then remove '\(paths.directory)'")
        }
        return journal
    }

    /// Returns the journal of the last applied transaction, or `nil` if there is none or it is unreadable.
    static func readLast(at path: String) -> TransactionJournal? {
        (try? readFile(path)).flatMap { TransactionJournal($0) }
    }
}

extension TransactionJournal {
    private init?(_ bytes: [UInt8]) {
        guard let node = try? JSONParser.parse(bytes), let old = node["old"]?.string, let new = node["new"]?.string
        else { return nil }
        self.old = old
        self.new = new
        branch = node["branch"]?.string
        kept = node["kept"]?.array?.compactMap(\.string) ?? []
        isReversal = node["isReversal"]?.bool ?? false
        record = TransactionRecord(node)
        if let name = node["tag"]?.string, let object = node["object"]?.string {
            tag = Tag(name: name, object: object)
        } else {
            tag = nil
        }
    }

    /// Writes the next index of the checkout to a temporary file. Throws an error if git would not be able to update
    /// the checkout.
    func prepareIndex(at paths: TransactionPaths, _ git: Git) throws(OperationFailure) {
        guard movesBranch else { return }
        try convertingFileErrors(of: writeFile(readFile(paths.userIndex), to: paths.index))
        let settings = ["GIT_INDEX_FILE": paths.index]
        let checkout = git.inside(paths.repository.topLevel)
        _ = try checkout.attempt(["update-index", "-q", "--refresh"], settings: settings)
        let trial = try checkout.attempt(["read-tree", "--dry-run", "-m", "-u", old, new], settings: settings)
        guard trial.report.succeeded else {
            throw .refused(["the checkout was changed meanwhile: \(trial.errorText.lines.first ?? "unknown change")"])
        }
    }
}

extension TransactionJournal {
    /// Returns a sentence with the new references and the command that pushes them, or `nil` if no reference has moved.
    func summary(_ settings: ReleaseSettings, _ references: GitTransaction.References) -> String? {
        let branch = movesBranch ? branch.map(shortName) : nil
        guard branch != nil || tag != nil else { return nil }
        let commit = new.prefix(9)
        let state =
            switch (branch, tag) {
            case (let branch?, let tag?): "'\(branch)' is at \(commit) now, with the tag '\(tag.name)'"
            case (let branch?, nil): "'\(branch)' is at \(commit) now"
            case (nil, let tag): "the tag '\(tag?.name ?? "")' is on \(commit) now"
            }
        guard let remote = settings.remote(of: branch) else { return state }
        let words = ["git", "push", "--atomic", remote] + names(references)
        return state + "; nothing is pushed yet: " + words.map(ShellWords.quoted).joined(separator: " ")
    }

    /// Returns the names to push. They are full names if a branch and a tag have the same name.
    private func names(_ references: GitTransaction.References) -> [String] {
        let full = [movesBranch ? branch : nil, tag.map { "refs/tags/\($0.name)" }].compactMap { $0 }
        return full.map { name in
            let isTag = name.hasPrefix("refs/tags/")
            let short = shortName(name)
            let twin = (isTag ? "refs/heads/" : "refs/tags/") + short
            return references.hashes[twin] != nil || full.contains(twin) ? name : short
        }
    }
}
