package import Actions
import Events
package import Git
package import OperatingSystem
package import Text

/// The releases and occurrences of versions that determine the next version.
package struct VersionFacts {
    /// The releases, and the commits after them.
    package let history: ReleaseHistory
    let occurrences: VersionOccurrences
    /// The branch of the checkout, or `nil` if HEAD is detached.
    private let branch: String?
    /// The number of breaks of the public API that an earlier step has proven.
    let breakCount: Int
    /// The command line that releases a version, up to the version, or `nil` if no parameter of the lane sets it.
    private let command: String?

    /// Reads the data for a step. In a transaction, only the first step reads the tags and the names of the package.
    ///
    /// - Parameter files: The files that name the version, or `nil` to search all.
    package static func read(
        _ context: StepContext, files: [VersionOccurrences.NamedFile]? = nil
    ) throws(OperationFailure) -> VersionFacts {
        let history = try ReleaseHistory.read(context)
        let isBeside = history.tags.highest?.name != history.tags.last?.name
        return VersionFacts(
            history: history,
            occurrences: try .find(
                in: context.directory, files: files, last: history.tags.last?.version,
                lastFinal: history.tags.lastFinal?.version, git: Git(context), values: context.transaction?.values),
            branch: try isBeside ? Git(context, in: context.root).currentBranch() : nil,
            breakCount: context.releases.breakCount, command: command(context))
    }

    /// Returns the command line of the step's lane up to its version, unless another lane calls this one.
    private static func command(_ context: StepContext) -> String? {
        let path = context.step.description.split(separator: "/")
        return context.parameters["version"] != nil && path.count == 2 ? "lane \(path[0])" : nil
    }

    /// The tags of the repository.
    package var tags: ReleaseTags { history.tags }

    /// Returns the requested version. A bump starts from the last release, or from the version in files if there is no
    /// release yet.
    package func version(for request: VersionRequest) throws(OperationFailure) -> SemanticVersion {
        if case .exact(let version) = request { return version }
        if let problem = tags.problem { throw .refused([problem]) }
        guard let base = tags.last?.version ?? occurrences.version else {
            let reason = tags.similar.map { ": '\($0)' is no semantic version" } ?? ""
            let hint =
                command.map { "name the first version: \($0) --version 0.1.0" } ?? "set the version, for example 0.1.0"
            throw .refused([shallow ?? "there is no earlier version\(reason)\nhint: \(hint)"])
        }
        if case .bump(let bump) = request { return base.bumped(bump) }
        // A final version contains the changes of its prereleases.
        let start = base.isPrerelease ? tags.lastFinal : tags.last
        let least = base.isPrerelease ? base.bumped(.release) : nil
        if let start, let problem = try history.missingCommits(since: start) { throw .refused([problem]) }
        let before = start?.version ?? base
        let commits = try history.commits(since: start)
        guard let bump = VersionBump.required(by: commits, after: before, breaksAPI: breakCount > 0) else {
            if let least { return least }
            throw .refused(["nothing to release: no change for users since \(base)"])
        }
        let required = before.bumped(bump)
        return least.map { max($0, required) } ?? required
    }

    /// Returns a note if another branch has a later release than the one that the version is relative to. This is
    /// normal on older release branches, but unexpected if releases are tagged outside the main branch. Above the highest
    /// release, users expect its changes.
    func otherBranchNote(in version: SemanticVersion, for request: VersionRequest) -> String? {
        if let highest = tags.highest, !highest.version.isPrerelease, highest.version < version,
            tags.last.map({ $0.version < highest.version }) ?? true
        {
            return "\(version) lacks the changes of '\(highest.name)', because HEAD is not a descendant of it"
        }
        guard let (last, highest) = laterRelease(than: version, for: request), !mustRefuse(last, below: highest) else {
            return nil
        }
        return "\(version) is relative to '\(last.name)', because HEAD is not a descendant of '\(highest.name)'"
    }

    /// Returns the releases of this history and of all branches if a computed version is below the latter.
    private func laterRelease(
        than version: SemanticVersion, for request: VersionRequest
    ) -> (last: ReleaseTag, highest: ReleaseTag)? {
        if case .exact = request { return nil }
        guard let last = tags.last, let highest = tags.highest, version <= highest.version,
            last.name != highest.name, last.version != highest.version
        else { return nil }
        return (last, highest)
    }

    /// Returns a Boolean value that indicates whether only an exact version may be released below a release. A branch
    /// named after an older version is a release line, and a prerelease may have its own branch.
    private func mustRefuse(_ last: ReleaseTag, below highest: ReleaseTag) -> Bool {
        !highest.version.isPrerelease && branch.map { !ReleaseLine.names(last.version, in: $0) } ?? true
    }

    private func orphan(_ version: SemanticVersion, _ request: VersionRequest) -> String? {
        guard let (last, highest) = laterRelease(than: version, for: request), mustRefuse(last, below: highest) else {
            return nil
        }
        let line = "\(last.version.major).\(last.version.minor).x"
        return "\(version) is not greater than \(highest.version), because HEAD is not a descendant of the tag "
            + "'\(highest.name)'\nhint: merge that tag, name the version, or release an older line from a branch such as '\(line)'"
    }

    /// Returns the notes about files that no earlier step of the transaction has reported.
    func newNotes(in context: StepContext) -> [String] {
        let values = context.transaction?.values
        guard values?[ReportedNotes.self]?.texts != occurrences.notes else { return [] }
        values?[ReportedNotes.self] = ReportedNotes(texts: occurrences.notes)
        return occurrences.notes
    }

    private struct ReportedNotes: Sendable {
        let texts: [String]
    }

    /// Returns notes about commits that seem to be breaking changes but do not count as such.
    func doubts(about request: VersionRequest) throws(OperationFailure) -> [String] {
        guard case .fromCommits = request else { return [] }
        let start = tags.last?.version.isPrerelease == true ? tags.lastFinal : tags.last
        return Reverts.remaining(of: try history.commits(since: start)).compactMap(\.doubt)
    }

    /// Returns a hint for a tag that may belong to another package.
    private func otherOwner(of tag: ReleaseTag) -> String {
        guard !history.repository.prefix.isEmpty, tag.subject.isEmpty else { return "" }
        let directory = lastPathComponent(String(history.repository.prefix.dropLast()))
        return "\nhint: if '\(tag.name)' belongs to another package, set "
            + "\(TaggedPackage.prefixVariable)=\(directory)- for the tags of this one"
    }

    /// The message for a shallow clone, which may lack tags, or `nil` in a complete clone.
    var shallow: String? {
        guard history.repository.isShallow else { return nil }
        let effect = tags.last == nil ? "the last release is unknown" : "tags may be missing"
        return "the clone is shallow, so \(effect)\nhint: git fetch --unshallow --tags"
    }

    /// Returns the reasons why a version cannot be released.
    func problems(with version: SemanticVersion, for request: VersionRequest) -> [String] {
        var problems = occurrences.problems
        if let problem = tags.problem { problems.append(problem) }
        if let last = tags.last, version <= last.version {
            problems.append(
                "\(version) is not greater than the last release, \(last.version)" + otherOwner(of: last)
                    + Self.hint(on: version, after: last.version))
        } else if let present = occurrences.version, version < present {
            problems.append("\(version) is less than \(present), the version in files")
        }
        if let orphan = orphan(version, request) {
            problems.append(orphan)
        } else if let tag = tags.existing(version), tags.last?.version != version {
            let hint = tags.highest.map { "\nhint: HEAD is not a descendant of it; name a version above \($0.version)" }
            problems.append("the tag '\(tag)' already exists" + (hint ?? ""))
        }
        if tags.last == nil, let shallow { problems.append(shallow) }
        if let problem = breakProblem(with: version) { problems.append(problem) }
        return problems
    }

    /// Returns a hint if the number in a word such as `rc10` is greater, but the word is less as text.
    private static func hint(on version: SemanticVersion, after last: SemanticVersion) -> String {
        func parts(_ word: String) -> (label: Substring, number: Int) {
            let digits = word.reversed().prefix { $0.isASCII && $0.isNumber }.count
            return (word.dropLast(digits), Int(word.suffix(digits)) ?? 0)
        }
        guard version.bumped(.release) == last.bumped(.release),
            let (new, old) = zip(version.prerelease, last.prerelease).first(where: { $0 != $1 })
        else { return "" }
        let (next, known) = (parts(new), parts(old))
        guard !next.label.isEmpty, next.label == known.label, next.number > known.number else { return "" }
        return "\nhint: versions compare '\(new)' and '\(old)' as text; release \(last.bumped(.release)), or \(last).1"
    }

    /// Returns the reason why a version must not break the public API, if it does.
    private func breakProblem(with version: SemanticVersion) -> String? {
        guard breakCount > 0, let last = tags.lastFinal ?? tags.last else { return nil }
        let required = last.version.bumped(.breaking(after: last.version))
        // A prerelease of the required version may break the API, too.
        guard version.bumped(.release) < required else { return nil }
        return "\(version) must not break the public API, and \(count(breakCount, "break")) since \(last.version) "
            + "\(breakCount == 1 ? "was" : "were") proven\nhint: release \(required), or name intended breaks in 'allow'"
    }
}

/// The releases of a package, and the commits after them.
package struct ReleaseHistory {
    /// The tags of the repository.
    package let tags: ReleaseTags
    package let repository: Repository
    private let git: Git

    /// The data that all steps of a transaction share. It stays valid because the steps only add commits to HEAD.
    private struct Known: Sendable {
        let tags: ReleaseTags
        let repository: Repository
        /// The configured prefix of tags.
        let prefix: String?
    }

    /// Reads the releases in the directory of a step. A transaction reads them once.
    package static func read(_ context: StepContext) throws(OperationFailure) -> ReleaseHistory {
        let git = Git(context)
        let values = context.transaction?.values
        let prefix = git[variable: TaggedPackage.prefixVariable]
        // In a shallow clone, a step may fetch the commits and tags that it lacks.
        if let known = values?[Known.self], known.prefix == prefix, !known.repository.isShallow {
            return ReleaseHistory(tags: known.tags, repository: known.repository, git: git)
        }
        let repository =
            if let found = values?[Repository.self], !found.isShallow { found.inWorktree(of: context.directory) } else {
                try Repository.find(git)
            }
        let tags = try ReleaseTags.read(git, of: .find(git, root: context.directory, in: repository))
        values?[Known.self] = Known(tags: tags, repository: repository, prefix: prefix)
        return ReleaseHistory(tags: tags, repository: repository, git: git)
    }

    /// Returns the reason why the commits since a release are incomplete, or `nil` if they are complete. In a shallow
    /// clone, the oldest commits must be ancestors of the release.
    func missingCommits(since tag: ReleaseTag) throws(OperationFailure) -> String? {
        guard repository.isShallow, let text = try? readText("\(repository.commonDirectory)/shallow") else {
            return nil
        }
        let ends = Set(text.lines)
        let commits = try git.text(["rev-list", "refs/tags/\(tag.name)..HEAD", "--"]).lines
        guard commits.contains(where: ends.contains) else { return nil }
        return "the clone is shallow and lacks commits since '\(tag.name)'\nhint: git fetch --unshallow --tags"
    }

    /// Returns the commits since a release, newest first, or all commits if `tag` is `nil`.
    package func commits(since tag: ReleaseTag?) throws(OperationFailure) -> [GitCommit] {
        guard !repository.prefix.isEmpty else { return try git.commits(since: tag?.name) }
        let former = try tag.map { tag throws(OperationFailure) in
            try FormerDirectories(git: git, prefix: repository.prefix).pathspecs(at: tag.name)
        }
        let commits = try git.commits(since: tag?.name, changing: ["."] + (former ?? []))
        guard commits.contains(where: \.isTitledMerge) else { return commits }
        // The parents of a commit may change other directories only.
        let graph = try git.graph(since: tag?.name)
        return commits.map { $0.isTitledMerge ? PullRequests.merge($0, in: graph) : $0 }
    }
}
