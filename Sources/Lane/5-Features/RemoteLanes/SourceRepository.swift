import Git
import OperatingSystem
import Text

/// The remote repository of a source.
struct SourceRepository {
    /// The address in the sources file, for messages.
    let url: String
    /// The address for git.
    let address: String
    let git: Git

    /// A commit that satisfies a requirement.
    struct Resolution: Equatable {
        let commit: String
        /// The tag of the commit if the requirement is a version.
        var tag: String?
    }

    /// Queries the remote repository for the commit that currently satisfies a requirement.
    func resolve(_ requirement: SourceRequirement) throws(OperationFailure) -> Resolution {
        switch requirement {
        case .commit(let commit): return Resolution(commit: commit)
        case .branch(let name):
            let name = "refs/heads/\(name)"
            guard let commit = try references(["--heads"]).first(where: { $0.name == name })?.commit else {
                throw OperationFailure("\(url) has no \(requirement)")
            }
            return Resolution(commit: commit)
        case .version(let text):
            guard let found = Self.latest(text, among: try references(["--tags"])) else {
                throw OperationFailure("\(url) has no tag for \(requirement)")
            }
            return found
        }
    }

    /// Returns the tag of the latest version that satisfies a requirement. Tags may start with `v`.
    static func latest(_ text: String, among references: [(commit: String, name: String)]) -> Resolution? {
        var best: (version: SemanticVersion, tag: String)?
        var commits: [String: String] = [:]
        for (commit, name) in references where name.hasPrefix("refs/tags/") {
            var tag = name.utf8.dropFirst("refs/tags/".utf8.count)
            let isPeeled = tag.elementsEqual(tag.dropLast(3)) == false && tag.suffix(3).elementsEqual("^{}".utf8)
            if isPeeled { tag = tag.dropLast(3) }
            let word = String(Substring(tag))
            // The line with the commit of an annotated tag follows the line with the tag object.
            if isPeeled || commits[word] == nil { commits[word] = commit }
            guard let version = SemanticVersion(word.hasPrefix("v") ? String(word.dropFirst()) : word),
                SourceRequirement.accepts(version, text)
            else { continue }
            if let known = best, !(known.version < version) { continue }
            best = (version, word)
        }
        guard let best, let commit = commits[best.tag] else { return nil }
        return Resolution(commit: commit, tag: best.tag)
    }

    private func references(_ options: [String]) throws(OperationFailure) -> [(commit: String, name: String)] {
        let run = try git.attempt(["ls-remote", "--quiet"] + options + ["--", address])
        guard run.report.succeeded else { throw failure(of: "git ls-remote", run) }
        return run.text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t")
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    /// Fetches a commit into a new bare repository and returns git for this repository.
    func fetch(_ commit: String, into directory: String) throws(OperationFailure) -> Git {
        // An empty template adds no hooks.
        try git.run(["init", "--quiet", "--bare", "--template=", directory])
        let bare = git.inside(directory)
        let fetch = ["-c", "protocol.version=2", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head"]
        let one = try bare.attempt(fetch + ["--depth=1", "--", address, commit])
        if one.report.succeeded { return bare }
        guard one.report.stoppedBy == nil, refusesCommits(one.errorText) else { throw failure(of: "git fetch", one) }
        // Some servers allow fetching only branches and tags.
        let all = try bare.attempt(fetch + ["--", address, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"])
        guard all.report.succeeded else { throw failure(of: "git fetch", all) }
        guard try bare.attempt(["cat-file", "-e", "\(commit)^{commit}"]).report.succeeded else {
            throw OperationFailure(
                "\(url) no longer has the commit \(commit.prefix(12)): its history was rewritten\nhint: use 'lane update'"
            )
        }
        return bare
    }

    private func refusesCommits(_ text: String) -> Bool {
        ["not our ref", "unadvertised object", "find remote ref", "bad object"].contains {
            text.range(of: $0) != nil
        }
    }

    /// Returns the failure of a git command without the general advice that git prints.
    private func failure(of command: String, _ run: CapturedRun) -> OperationFailure {
        guard run.report.stoppedBy == nil else { return OperationFailure(of: command, run) }
        let fatal = "fatal: "
        let lines = run.errorText.lines.map {
            $0.hasPrefix(fatal) ? String($0.utf8.dropFirst(fatal.utf8.count)) ?? $0 : $0
        }
        let reason = lines.prefix { !$0.isEmpty && !$0.hasPrefix("Could not read from remote") }.joined(separator: "; ")
        return OperationFailure("\(command) \(url) failed: \(reason.isEmpty ? "status \(run.report.status)" : reason)")
    }
}
