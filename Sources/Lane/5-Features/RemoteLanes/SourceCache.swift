package import Git
package import OperatingSystem

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

    /// Returns the state of a locked source.
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

    /// Returns the commit that currently satisfies the requirement of a source.
    func resolve(_ source: LaneSource) throws(OperationFailure) -> SourceRepository.Resolution {
        try repository(source.url).resolve(source.requirement)
    }

    private func repository(_ url: String) -> SourceRepository {
        SourceRepository(url: url, address: SourceAddress.resolved(url, root: root), git: git)
    }
}
