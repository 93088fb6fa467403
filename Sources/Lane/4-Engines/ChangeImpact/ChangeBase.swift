import OperatingSystem
import Text

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

/// The run of a CI service in which the tests are selected, or a run on the machine of a user.
///
/// A definition of CI is no input of the tests. It can only change the machine and the toolchain of a run that it defines.
package struct CIRun: Sendable {
    private let environment: [String: String]
    /// The root of the repository.
    private let repository: String

    /// A run outside CI.
    package static let none = Self(environment: [:], repository: "")

    package init(environment: [String: String], repository: String) {
        self.environment = environment
        self.repository = repository
    }

    /// Returns a Boolean value that indicates whether a changed file may define the run.
    func isDefined(by file: String) -> Bool {
        guard let service = CIService.current(in: environment), service.isDefined(by: file) else { return false }
        guard file.hasPrefix("\(service.definition)/"),
            let current = service.workflowVariable.flatMap({ environment[$0] }), !current.contains("/\(file)@")
        else { return true }
        // A workflow that others call. One that was removed is part of none.
        return (try? readText("\(repository)/\(file)"))?.contains("workflow_call") == true
    }
}
