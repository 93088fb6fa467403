/// The commit that the changed files are compared with, before git has resolved it.
package enum ChangeBase: Sendable, Equatable {
    /// The revision that the user gave.
    case revision(String)
    /// The target branch of a pull request.
    case target(branch: String)
    /// The upstream branch, or the default branch of the remote.
    case usual
    /// A run of CI for no pull request, in which all tests run.
    case none(reason: String)

    /// The variables with the target branch of a pull request, of GitHub, Azure, GitLab and Buildkite.
    package static let variables = [
        "GITHUB_BASE_REF", "SYSTEM_PULLREQUEST_TARGETBRANCH", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
        "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    ]

    /// - Parameters:
    ///   - given: The revision that the user gave, if any.
    ///   - isCI: A Boolean value that indicates whether a CI service runs the tests.
    package init(given: String?, isCI: Bool, environment: [String: String]) {
        if let given {
            self = .revision(given)
            return
        }
        let branches = Self.variables.compactMap { environment[$0] }.filter { !$0.isEmpty }
        if let branch = branches.first {
            let prefix = "refs/heads/"
            self = .target(branch: branch.hasPrefix(prefix) ? String(branch.dropFirst(prefix.count)) : branch)
        } else if !isCI {
            self = .usual
        } else if environment["CIRCLECI"] != nil {
            self = .none(reason: "CircleCI does not name the target branch of a pull request; 'changed-base' sets it")
        } else {
            self = .none(reason: "this run of CI is for no pull request")
        }
    }

    /// Returns the usual base: the upstream branch, unless the branch is only pushed to it, else the default branch.
    ///
    /// - Parameters:
    ///   - branch: The current branch, or `nil` if none is checked out.
    ///   - upstream: The upstream of it, such as `origin/main`.
    ///   - remote: The name of the remote.
    ///   - defaultBranch: The default branch of the remote, such as `origin/main`.
    ///   - known: The branches of the remote.
    package static func usual(
        branch: String?, upstream: String?, remote: String?, defaultBranch: String?, known: Set<String>
    ) -> String? {
        if let upstream, upstream != "\(remote ?? "")/\(branch ?? "")", upstream != branch { return upstream }
        if let defaultBranch { return defaultBranch }
        let candidates = ["main", "master"].map { "\(remote ?? "")/\($0)" }
        return candidates.first(where: known.contains) ?? upstream
    }
}
