import Files
import LaneRun

/// What decides over the next version.
struct VersionFacts {
    let tags: ReleaseTags
    let places: VersionPlaces
    let repository: Repository
    /// Since the last release; read when somebody needs them.
    let git: Git

    static func read(
        _ git: Git, root: String, files: [VersionPlaces.NamedFile]? = nil
    ) throws(StepFailure) -> VersionFacts {
        let repository = try Repository.find(git)
        let tags = try ReleaseTags.read(git, of: .find(git, root: root, in: repository))
        return VersionFacts(
            tags: tags, places: try .find(in: root, files: files, last: tags.last?.version, git: git),
            repository: repository, git: git)
    }

    /// The commits since the last release, newest first.
    func commits() throws(StepFailure) -> [GitCommit] { try commits(since: tags.last) }

    func commits(since tag: ReleaseTag?) throws(StepFailure) -> [GitCommit] {
        try git.commits(since: tag?.name, onlyHere: !repository.prefix.isEmpty)
    }

    /// The version that is asked for. A bump counts from the last release, or from what the files say before the first.
    func version(for request: VersionRequest) throws(StepFailure) -> SemanticVersion {
        if case .exact(let version) = request { return version }
        if let problem = tags.problem { throw .refused([problem]) }
        guard let base = tags.last?.version ?? places.version else {
            throw .refused(["there is no version yet to count from\nhint: name one, as in 0.1.0"])
        }
        if case .bump(let bump) = request { return base.bumped(bump) }
        // The final version releases what its candidates contain.
        let start = base.isPrerelease ? tags.lastFinal : tags.last
        let least = base.isPrerelease ? base.bumped(.release) : nil
        let before = start?.version ?? base
        guard let bump = VersionBump.wanted(by: try commits(since: start), after: before) else {
            if let least { return least }
            throw .refused(["nothing to release: no change for users since \(base)"])
        }
        let wanted = before.bumped(bump)
        return least.map { max($0, wanted) } ?? wanted
    }

    /// That a version was counted from a release while a later one is on another branch: right for an old line of
    /// releases, a surprise where releases are tagged beside the main branch.
    func surprise(in version: SemanticVersion, for request: VersionRequest) -> String? {
        if case .exact = request { return nil }
        guard let last = tags.last, let highest = tags.highest, version < highest.version else { return nil }
        return "\(version) is counted from '\(last.name)', because HEAD does not come from '\(highest.name)'"
    }

    /// How a package gets tags of its own where one names nothing but a version, and may be of a package beside.
    private func otherOwner(of tag: ReleaseTag) -> String {
        guard !repository.prefix.isEmpty, tag.subject.isEmpty else { return "" }
        let folder = lastPathComponent(String(repository.prefix.dropLast()))
        return "\nhint: if '\(tag.name)' is another package's, "
            + "\(TaggedPackage.prefixVariable)=\(folder)- gives this one tags of its own"
    }

    /// Says that tags may be missing; `nil` in a whole clone.
    var shallow: String? {
        guard repository.isShallow else { return nil }
        let effect = tags.last == nil ? "the last release is not known" : "tags may be missing"
        return "the clone is shallow, so \(effect)\nhint: git fetch --unshallow --tags"
    }

    /// Everything that speaks against releasing this version.
    func problems(with version: SemanticVersion) -> [String] {
        var problems = places.problems
        if let problem = tags.problem { problems.append(problem) }
        if let last = tags.last, version <= last.version {
            problems.append(
                "\(version) is not greater than the last release, \(last.version)" + otherOwner(of: last))
        } else if let present = places.version, version < present {
            problems.append("\(version) is less than \(present), which the files say")
        }
        let tag = tags.prefix + version.description
        if tags.all.contains(tag), tags.last?.version != version { problems.append("the tag '\(tag)' exists already") }
        if tags.last == nil, let shallow { problems.append(shallow) }
        return problems
    }
}
