import Git
import LaneModel
import OperatingSystem
import Text

/// The version of a proposed release, and the branches of its pull request.
struct Proposal: Sendable {
    let version: SemanticVersion
    /// The start of the branches of all releases of the package.
    let prefix: String
    /// The branch to merge into.
    let base: String
    /// The commit of the base branch, on which the release commit is.
    let start: String

    /// - Parameter git: Git in the user's checkout.
    init(_ version: SemanticVersion, _ git: Git) throws(OperationFailure) {
        let (repository, start, branch) = try Repository.findWithHead(git)
        guard let branch else { throw .refused(["HEAD is detached, so there is no branch for a pull request"]) }
        self.version = version
        prefix = ReleaseNames.branch(below: repository.prefix)
        base = String(branch.dropFirst("refs/heads/".count))
        self.start = start
    }

    var branch: String { prefix + version.description }
}
