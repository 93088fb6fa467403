import OperatingSystem
import Text

/// The run of a CI service in which the tests are selected, or a run on the machine of a user.
///
/// A definition of CI is no input of the tests. It can only change the machine and the toolchain of a run that it defines.
package struct CIRun: Sendable {
    private let environment: [String: String]
    /// The root of the repository.
    private let repository: String

    /// The variable of GitHub with the workflow that runs.
    static let workflowVariable = "GITHUB_WORKFLOW_REF"

    /// A run outside CI.
    package static let none = Self(environment: [:], repository: "")

    package init(environment: [String: String], repository: String) {
        self.environment = environment
        self.repository = repository
    }

    /// Returns a Boolean value that indicates whether a changed file may define the run.
    func isDefined(by file: String) -> Bool {
        guard let service = CIService.current(in: environment), service.isDefined(by: file) else { return false }
        return !file.hasPrefix("\(CIService.github.definition)/") || isPart(file)
    }

    /// Returns a Boolean value that indicates whether a workflow of GitHub is the one that runs, or may be a part of it.
    private func isPart(_ file: String) -> Bool {
        // Such as `owner/name/.github/workflows/ci.yml@refs/heads/main`.
        guard let current = environment[Self.workflowVariable], !current.contains("/\(file)@") else { return true }
        // A workflow that others call. One that was removed is part of none.
        return (try? readText("\(repository)/\(file)"))?.contains("workflow_call") == true
    }
}
