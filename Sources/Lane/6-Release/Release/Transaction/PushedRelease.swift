import Git
import OperatingSystem
import Text

/// The search for a release on the remotes of its repository.
struct PushedRelease {
    let git: Git
    let paths: TransactionPaths
    let journal: TransactionJournal

    /// The result of asking all remotes.
    struct Answers {
        /// The first remote that has the tag or the commit of the release.
        var remote: String?
        /// The reasons why remotes could not be asked.
        var unknown: [String] = []
    }

    func find() throws(OperationFailure) -> Answers {
        var answers = Answers()
        let objects = [journal.tag?.object, journal.movesBranch ? journal.new : nil].compactMap { $0 }
        guard !objects.isEmpty else { return answers }
        for (name, address) in try remotes() where answers.remote == nil {
            // Other tags of the same name are not the release.
            let patterns = ["refs/heads/*"] + (journal.tag.map { ["refs/tags/\($0.name)"] } ?? [])
            let result = try git.attempt(["ls-remote", "--", address] + patterns)
            if result.report.stoppedBy != nil { throw OperationFailure(of: "git ls-remote", result) }
            if !result.report.succeeded {
                let reason = result.errorText.lines.first ?? "status \(result.report.status)"
                answers.unknown.append("it is unknown whether '\(name)' has the \(journal.title): \(reason)")
            } else if result.text.lines.contains(where: { line in objects.contains { line.hasPrefix($0) } }) {
                answers.remote = name
            }
        }
        if answers.remote == nil, journal.movesBranch {
            // The remote may have later commits.
            let format = "--format=%(refname:lstrip=2)"
            let known = try git.attempt(["for-each-ref", "--contains=\(journal.new)", format, "refs/remotes"])
            answers.remote = known.text.lines.first
        }
        return answers
    }

    /// The names and addresses of all remotes, including their addresses for pushes, addresses in the configuration of
    /// branches, and remotes to which `publish` has pushed.
    private func remotes() throws(OperationFailure) -> [(name: String, address: String)] {
        var remotes: [(name: String, address: String)] = []
        var fetched: [String: String] = [:]
        for line in try git.text(["remote", "-v"]).lines {
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            guard parts.count == 2, let end = parts[1].range(of: " (fetch)") ?? parts[1].range(of: " (push)") else {
                continue
            }
            let (name, address) = (parts[0], String(parts[1][..<end.lowerBound]))
            if parts[1].range(of: " (fetch)") != nil, fetched[name] == nil {
                fetched[name] = address
                remotes.append((name, name))
            } else if fetched[name] != address {
                remotes.append((name, address))
            }
        }
        let others = try ReleaseSettings.read(git).remotes + PushRecord.remotes(of: journal, at: paths)
        for other in Set(others).sorted() where fetched[other] == nil { remotes.append((other, other)) }
        return remotes
    }
}

/// The record of the remotes to which the last release was pushed. It is written before the push.
enum PushRecord {
    /// Adds a remote to which a tag is pushed.
    ///
    /// - Parameter object: The hash of the tag object.
    static func add(_ remote: String, object: String, _ git: Git) throws(OperationFailure) {
        let path = TransactionPaths(repository: try .find(git)).pushes
        let line = "\(object) \(remote)"
        let known = ((try? readText(path))?.lines ?? []).filter { $0.hasPrefix("\(object) ") && $0 != line }
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(parentDirectory(path))
            try writeFile((known + [line]).map { "\($0)\n" }.joined(), to: path)
        }
    }

    fileprivate static func remotes(of journal: TransactionJournal, at paths: TransactionPaths) -> [String] {
        guard let tag = journal.tag, let lines = (try? readText(paths.pushes))?.lines else { return [] }
        return lines.filter { $0.hasPrefix("\(tag.object) ") }.map { String($0.dropFirst(tag.object.count + 1)) }
    }
}
