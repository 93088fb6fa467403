import OperatingSystem

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

    /// - Parameter given: The revision that the user gave, if any.
    package init(given: String?, environment: [String: String]) {
        if let given {
            self = .revision(given)
            return
        }
        let variables = CIService.all.compactMap(\.targetBranchVariable)
        if let branch = variables.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) {
            let prefix = "refs/heads/"
            self = .target(branch: branch.hasPrefix(prefix) ? String(branch.dropFirst(prefix.count)) : branch)
        } else if !CIService.isActive(in: environment) {
            self = .usual
        } else if let service = CIService.current(in: environment), service.targetBranchVariable == nil {
            self = .none(
                reason:
                    "\(service.title) does not name the target branch of a pull request; name the commit to compare with"
            )
        } else {
            self = .none(reason: "this run of CI is for no pull request")
        }
    }
}
