import LaneRun

/// The releases of a package, and the commits after them.
struct ReleaseHistory {
    let tags: ReleaseTags
    let repository: Repository
    private let git: Git

    static func read(_ git: Git, root: String) throws(StepFailure) -> ReleaseHistory {
        let repository = try Repository.find(git)
        let tags = try ReleaseTags.read(git, of: .find(git, root: root, in: repository))
        return ReleaseHistory(tags: tags, repository: repository, git: git)
    }

    /// Returns the commits since a release, or all without one, newest first.
    func commits(since tag: ReleaseTag?) throws(StepFailure) -> [GitCommit] {
        try git.commits(since: tag?.name, onlyHere: !repository.prefix.isEmpty)
    }
}
