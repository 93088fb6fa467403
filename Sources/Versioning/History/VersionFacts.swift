package import Git
package import LaneRun
package import SemVer

import Files

/// The data that determine the next version.
package struct VersionFacts {
    /// The releases, and the commits after them.
    package let history: ReleaseHistory
    let occurrences: VersionOccurrences

    /// Reads the tags, and the versions in files: those of `files` if it is not `nil`.
    package static func read(
        _ git: Git, root: String, files: [VersionOccurrences.NamedFile]? = nil
    ) throws(StepFailure) -> VersionFacts {
        try read(try ReleaseHistory.read(git, root: root), git, root, files, nil)
    }

    /// Reads the data for a step. In a transaction, tags and the names of the package are read by its first step only.
    static func read(
        _ context: StepContext, files: [VersionOccurrences.NamedFile]? = nil
    ) throws(StepFailure) -> VersionFacts {
        try read(
            try ReleaseHistory.read(context), Git(context), context.directory, files, context.transaction?.notes)
    }

    private static func read(
        _ history: ReleaseHistory, _ git: Git, _ root: String, _ files: [VersionOccurrences.NamedFile]?,
        _ notes: TransactionNotes?
    ) throws(StepFailure) -> VersionFacts {
        let last = history.tags.last?.version
        return VersionFacts(
            history: history, occurrences: try .find(in: root, files: files, last: last, git: git, notes: notes))
    }

    /// The tags of the repository.
    package var tags: ReleaseTags { history.tags }

    /// Returns the requested version. A bump is relative to the last release, or to the version in files before the
    /// first one.
    package func version(for request: VersionRequest) throws(StepFailure) -> SemanticVersion {
        if case .exact(let version) = request { return version }
        if let problem = tags.problem { throw .refused([problem]) }
        guard let base = tags.last?.version ?? occurrences.version else {
            throw .refused(["there is no earlier version\nhint: set the version, for example 0.1.0"])
        }
        if case .bump(let bump) = request { return base.bumped(bump) }
        // A final version contains the changes of its prereleases.
        let start = base.isPrerelease ? tags.lastFinal : tags.last
        let least = base.isPrerelease ? base.bumped(.release) : nil
        let before = start?.version ?? base
        guard let bump = VersionBump.wanted(by: try history.commits(since: start), after: before) else {
            if let least { return least }
            throw .refused(["nothing to release: no change for users since \(base)"])
        }
        let wanted = before.bumped(bump)
        return least.map { max($0, wanted) } ?? wanted
    }

    /// Returns a note if a version is relative to a release while a later one is on another branch. This is right for
    /// older release branches, but unexpected if releases are tagged outside the main branch.
    func surprise(in version: SemanticVersion, for request: VersionRequest) -> String? {
        if case .exact = request { return nil }
        guard let last = tags.last, let highest = tags.highest, version < highest.version else { return nil }
        return "\(version) is relative to '\(last.name)', because HEAD is not a descendant of '\(highest.name)'"
    }

    /// Returns a hint for packages whose tags may be those of another package.
    private func otherOwner(of tag: ReleaseTag) -> String {
        guard !history.repository.prefix.isEmpty, tag.subject.isEmpty else { return "" }
        let directory = lastPathComponent(String(history.repository.prefix.dropLast()))
        return "\nhint: if '\(tag.name)' belongs to another package, set "
            + "\(TaggedPackage.prefixVariable)=\(directory)- for the tags of this one"
    }

    /// Returns a message about missing tags, or `nil` in a complete clone.
    var shallow: String? {
        guard history.repository.isShallow else { return nil }
        let effect = tags.last == nil ? "the last release is unknown" : "tags may be missing"
        return "the clone is shallow, so \(effect)\nhint: git fetch --unshallow --tags"
    }

    /// Returns the reasons against releasing a version.
    func problems(with version: SemanticVersion) -> [String] {
        var problems = occurrences.problems
        if let problem = tags.problem { problems.append(problem) }
        if let last = tags.last, version <= last.version {
            problems.append(
                "\(version) is not greater than the last release, \(last.version)" + otherOwner(of: last))
        } else if let present = occurrences.version, version < present {
            problems.append("\(version) is less than \(present), the version in files")
        }
        let tag = tags.prefix + version.description
        if tags.all.contains(tag), tags.last?.version != version { problems.append("the tag '\(tag)' already exists") }
        if tags.last == nil, let shallow { problems.append(shallow) }
        return problems
    }
}

/// The releases of a package, and the commits after them.
package struct ReleaseHistory {
    /// The tags of the repository.
    package let tags: ReleaseTags
    let repository: Repository
    private let git: Git

    static func read(_ git: Git, root: String) throws(StepFailure) -> ReleaseHistory {
        let repository = try Repository.find(git)
        let tags = try ReleaseTags.read(git, of: .find(git, root: root, in: repository))
        return ReleaseHistory(tags: tags, repository: repository, git: git)
    }

    /// The data that all steps of a transaction share. Its steps only add commits to HEAD.
    private struct Known: Sendable {
        let tags: ReleaseTags
        let repository: Repository
        /// The configured prefix of tags.
        let prefix: String?
    }

    /// Reads the releases in the directory of a step, once in a transaction.
    static func read(_ context: StepContext) throws(StepFailure) -> ReleaseHistory {
        let git = Git(context)
        let notes = context.transaction?.notes
        let prefix = git[variable: TaggedPackage.prefixVariable]
        if let known = notes?[Known.self], known.prefix == prefix {
            return ReleaseHistory(tags: known.tags, repository: known.repository, git: git)
        }
        // A step may have fetched the commits that a shallow clone lacks.
        let repository =
            if let found = notes?[Repository.self], !found.isShallow { found.inWorktree(of: context.directory) } else {
                try Repository.find(git)
            }
        let tags = try ReleaseTags.read(git, of: .find(git, root: context.directory, in: repository))
        notes?[Known.self] = Known(tags: tags, repository: repository, prefix: prefix)
        return ReleaseHistory(tags: tags, repository: repository, git: git)
    }

    /// Returns the commits since a release, or all without one, newest first.
    package func commits(since tag: ReleaseTag?) throws(StepFailure) -> [GitCommit] {
        try git.commits(since: tag?.name, onlyHere: !repository.prefix.isEmpty)
    }
}
