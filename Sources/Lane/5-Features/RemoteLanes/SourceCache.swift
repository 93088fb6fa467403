package import Git
package import OperatingSystem
import Text

/// A cache of the files of sources in `.lane/remote`, with a directory for each source and commit.
package struct SourceCache: Sendable {
    private let root: String
    private let git: Git

    /// Creates the cache of a package.
    ///
    /// - Parameters:
    ///   - root: The root of the package.
    ///   - git: The `git` command in `root`.
    package init(root: String, git: Git) {
        self.root = root
        self.git = git
    }

    /// The state of a source in the cache.
    package enum State: Sendable, Equatable {
        case valid, missing
        /// The files differ from the lock file.
        case damaged
    }

    /// Returns the directory with the files of a source at a commit, which may not exist.
    package func directory(_ name: String, at commit: String) -> String {
        "\(root)/.lane/remote/\(name)/\(commit.prefix(12))"
    }

    package func state(of source: LockedSource) -> State {
        let directory = directory(source.name, at: source.commit)
        guard fileKind(directory) != nil else { return .missing }
        return SourceTree.digest(of: directory) == source.sha256 ? .valid : .damaged
    }

    /// Fetches exactly the locked commit. Throws and does not change the cache if the files differ from the lock file.
    package func fetch(_ source: LockedSource) throws(OperationFailure) {
        _ = try fetch(source.name, from: source.url, at: source.commit, expecting: source.sha256)
    }

    /// Fetches a commit into the cache. Returns the digest of its files.
    ///
    /// The directory is renamed into place when it is complete, so no run finds a part of the files, even after a run
    /// was killed.
    func fetch(
        _ name: String, from url: String, at commit: String, expecting sha256: String? = nil
    ) throws(OperationFailure) -> String {
        let target = directory(name, at: commit)
        let scratch = try convertingFileErrors { () throws(FileError) in
            try makeDirectories(parentDirectory(target))
            return try ScratchDirectory(in: parentDirectory(target), prefix: "fetch")
        }
        defer { scratch.remove() }
        let bare = try repository(url).fetch(commit, into: "\(scratch.path)/git")
        let fresh = "\(scratch.path)/tree"
        try SourceTree.write(commit, of: bare, to: fresh)
        guard let digest = SourceTree.digest(of: fresh) else { throw OperationFailure("cannot read '\(fresh)'") }
        if let sha256, digest != sha256 {
            throw OperationFailure(
                "the files of '\(name)' at \(commit.prefix(12)) have the SHA-256 \(digest), and the lock expects \(sha256)\n"
                    + "hint: restore '\(SourcesLock.path)'; the same commit has the same files")
        }
        // Another process may have written the same files.
        if SourceTree.digest(of: target) == digest { return digest }
        if fileKind(target) != nil { try? moveFile(target, to: "\(scratch.path)/old") }
        do throws(FileError) {
            try moveFile(fresh, to: target)
        } catch {
            guard SourceTree.digest(of: target) == digest else { throw OperationFailure(error) }
        }
        return digest
    }

    func repository(_ url: String) -> SourceRepository {
        SourceRepository(url: url, address: SourceAddress.resolved(url, root: root), git: git)
    }
}

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
        guard try bare.contains(commit: commit) else {
            throw OperationFailure(
                "\(url) no longer has the commit \(commit.prefix(12)): its history was rewritten\nhint: use 'lane update'"
            )
        }
        return bare
    }

    private func refusesCommits(_ text: String) -> Bool {
        ["not our ref", "unadvertised object", "find remote ref", "bad object"].contains { text.contains($0) }
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
